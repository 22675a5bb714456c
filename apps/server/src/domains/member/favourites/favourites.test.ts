import { news } from '@atrium/contract/content/news'
import { favourites, history } from '@atrium/contract/member/favourites'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { updatePrivacy } from '#domains/member/privacy/settings.ts'
import { audienceFor } from '#platform/audience.ts'
import { addService, changeService, everybody, forIdentity } from '../../../../test/service.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { maxVisits } from './history.ts'
import { maxFavourites } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('services', () => {
  test('are added once under concurrent calls and can be removed', async () => {
    const student = await app.as('student')
    const id = await addService(app.platform, 'T-FAVOURITE', everybody)
    await Promise.all(
      [1, 2, 3, 4].map(() => student(favourites.addService, { body: { serviceId: id } })),
    )
    expect((await student(favourites.serviceIds)).data.filter((key) => key === id)).toHaveLength(1)
    await student(favourites.removeService, { body: { serviceId: id } })
    await student(favourites.removeService, { body: { serviceId: id } })
    expect((await student(favourites.serviceIds)).data).not.toContain(id)
  })

  test('a hidden service cannot be made a favourite', async () => {
    const id = await addService(app.platform, 'T-HIDDEN', forIdentity('T01'))
    const student = await app.as('student')
    expect(await student(favourites.addService, { body: { serviceId: id } })).toMatchObject({
      status: 404,
    })
    expect(
      await student(favourites.addService, { body: { serviceId: '1; drop table service' } }),
    ).toMatchObject({
      status: 400,
      error: 'request.invalid',
      fields: { serviceId: expect.any(String) },
    })
  })

  test('are listed newest first until the member moves them', async () => {
    const teacher = await app.as('teacher')
    const ids: string[] = []
    for (const name of ['T-ORDER-1', 'T-ORDER-2', 'T-ORDER-3']) {
      ids.unshift(await addService(app.platform, name, everybody))
      await teacher(favourites.toggleService, { query: { id: ids[0], type: 1 } })
    }
    const order = async () =>
      (await teacher(favourites.serviceIds)).data.filter((id) => ids.includes(id))
    expect(await order()).toEqual(ids)
    const [one, two, three] = ids as [string, string, string]
    const move = (id: string, beforeId: string | null) =>
      teacher(favourites.move, { body: { kind: 'service', id, beforeId } })
    await move(three, one)
    expect(await order()).toEqual([three, one, two])
    await move(three, null)
    expect((await teacher(favourites.serviceIds)).data.at(-1)).toBe(three)
    // Moved in between often enough to run out of numbers.
    for (let round = 0; round < 60; round++) await move(round % 2 ? one : three, two)
    expect(await order()).toEqual([three, one, two])

    const student = await app.as('student')
    expect(
      await student(favourites.move, { body: { kind: 'service', id: one, beforeId: null } }),
    ).toMatchObject({ status: 404, error: 'favourite.not_found' })
  })

  test('are paginated, searchable by keyword and only the member’s own', async () => {
    const student = await app.as('student')
    const all = (await student(favourites.services)).data
    expect(all.list).toHaveLength(all.total)
    const first = (await student(favourites.findServices, { query: { pageSize: 5 } })).data
    const second = (
      await student(favourites.findServices, { query: { pageSize: 200, cursor: first.nextCursor } })
    ).data
    expect([...first.list, ...second.list].map((line) => line.serviceId)).toEqual(
      all.list.map((line) => line.serviceId),
    )
    expect(second).toMatchObject({ total: all.total, nextCursor: null })
    const found = (await student(favourites.findServices, { query: { keyWords: '校车' } })).data
    expect(found.list.map((line) => line.serviceName)).toEqual(['校车'])
    expect(
      (await student(favourites.findServices, { query: { type: found.list[0]?.typeId } })).data.list
        .length,
    ).toBeLessThan(all.total)
    expect((await student(favourites.findServices, { query: { cursor: 'x' } })).status).toBe(400)
    const staff = (await (await app.as('staff'))(favourites.services)).data
    expect(staff.list.map((line) => line.serviceName)).not.toContain('校车')
  })

  test('include those placed by a department until the member removes them', async () => {
    const student = await app.as('student')
    const managed = async () =>
      (await student(favourites.services)).data.list.filter((line) => line.managed)
    const before = await managed()
    expect(before.map((line) => line.serviceName)).toEqual(['实验室安全准入', '账号与密码'])
    expect(before[0]?.managedBy).not.toBe('')
    const serviceId = before[0]?.serviceId
    const cancel = () => student(favourites.cancelManaged, { body: { serviceId } })
    expect((await Promise.all([cancel(), cancel()])).map(({ status }) => status)).toEqual([
      200, 200,
    ])
    expect(await managed()).toHaveLength(1)
    expect((await student(favourites.serviceIds)).data).not.toContain(serviceId)
    await student(favourites.addService, { body: { serviceId } })
    expect(await managed()).toHaveLength(2)
    const hidden = await addService(app.platform, 'T-PLACED', forIdentity('T01'))
    await app.platform.db
      .insertInto('service_placement')
      .values({
        service_id: hidden,
        audience_id: await audienceFor(app.platform.db, everybody),
      })
      .execute()
    expect((await student(favourites.serviceIds)).data).not.toContain(hidden)
    // Services not placed, or not for this member, count as unknown.
    const teacher = await app.as('teacher')
    for (const [caller, id] of [
      [student, (await student(favourites.services)).data.list.at(-1)?.serviceId],
      [student, '999999'],
      [student, hidden],
      [teacher, serviceId],
    ] as const)
      expect(await caller(favourites.cancelManaged, { body: { serviceId: id } })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
  })

  test('that become unavailable are only counted, and return when available again', async () => {
    const teacher = await app.as('teacher')
    const withdrawn = await addService(app.platform, 'T-WITHDRAWN', everybody)
    const others = await addService(app.platform, 'T-OTHERS', everybody)
    const listed = async (query = {}) =>
      (await teacher(favourites.findServices, { query: { pageSize: 1, ...query } })).data
    const { hidden: before = 0 } = await listed()
    for (const serviceId of [withdrawn, others])
      await teacher(favourites.addService, { body: { serviceId } })
    const { total, hidden } = await listed()
    expect(hidden).toBe(before)

    await changeService(app.platform, withdrawn, { online: false })
    const audience_id = await audienceFor(app.platform.db, forIdentity('S01'))
    await changeService(app.platform, others, { audience_id })
    const after = await listed()
    expect(after).toMatchObject({ total: total - 2, hidden: before + 2 })
    // Hidden items reveal nothing about themselves.
    expect((await teacher(favourites.services)).raw).not.toMatch(/T-WITHDRAWN|T-OTHERS/)
    // Partial lists do not report hidden items.
    expect((await listed({ cursor: after.nextCursor })).hidden).toBeUndefined()
    expect((await listed({ keyWords: 'T-' })).hidden).toBeUndefined()

    await changeService(app.platform, withdrawn, { online: true })
    expect(await listed()).toMatchObject({ total: total - 1, hidden: before + 1 })
  })

  test('require a session', async () => {
    for (const endpoint of [favourites.serviceIds, favourites.services, favourites.addService])
      expect(await app.visitor(endpoint, { body: { serviceId: '1' } })).toMatchObject({
        status: 401,
        error: 'session.required',
      })
  })
})

describe('articles', () => {
  test('are added once under concurrent calls and searchable by title', async () => {
    const student = await app.as('student')
    const { list } = (await student(news.list, { query: { pageSize: 60 } })).data
    const mine = (await student(favourites.news, { query: { pageSize: 200 } })).data
    const fresh = list.find(({ id }) => !mine.list.some((line) => line.id === id))
    const id = fresh?.id as string
    const state = async () => (await student(favourites.state, { query: { id } })).data.favourite
    expect(await state()).toBe(false)
    await Promise.all(
      [1, 2, 3, 4].map(() => student(favourites.toggleNews, { body: { id, type: '1' } })),
    )
    expect(await state()).toBe(true)
    const after = (await student(favourites.news)).data
    expect(after).toMatchObject({ total: mine.total + 1, pageNo: 1 })
    expect(after.list[0]?.id).toBe(id)
    const found = (await student(favourites.news, { query: { keyWords: fresh?.title } })).data
    expect(found.list.map((line) => line.id)).toContain(id)
    expect((await student(favourites.article, { query: { id } })).data.title).toBe(fresh?.title)
    await student(favourites.toggleNews, { body: { id, type: '0' } })
    expect(await state()).toBe(false)
  })

  test('that are hidden cannot become favourites, be read or be recorded in the history', async () => {
    const teacher = await app.as('teacher')
    const { data } = await teacher(news.list, { query: { columnCode: 'teachers', pageSize: 1 } })
    const student = await app.as('student')
    for (const id of [data.list[0]?.id, '99999999']) {
      for (const answer of [
        await student(favourites.toggleNews, { body: { id, type: '1' } }),
        await student(favourites.article, { query: { id } }),
        await student(history.record, { body: { id } }),
      ])
        expect(answer).toMatchObject({ status: 404, error: 'news.not_found' })
    }
  })
})

describe('files', () => {
  test('are stored once per address', async () => {
    const student = await app.as('student')
    const file = { fileLink: 'https://files.example.edu/a.pdf', fileName: '<b>a</b>.pdf' }
    const before = (await student(favourites.files)).data.total
    await Promise.all(
      [1, 2, 3].map(() => student(favourites.toggleFile, { body: { ...file, type: '1' } })),
    )
    const { data } = await student(favourites.files)
    expect(data.total).toBe(before + 1)
    expect(data.list[0]).toMatchObject(file)
    expect(
      (await student(favourites.state, { query: { fileLink: file.fileLink } })).data.favourite,
    ).toBe(true)
    const teacher = await app.as('teacher')
    expect(
      await teacher(favourites.move, {
        body: { kind: 'file', id: data.list[0]?.id, beforeId: null },
      }),
    ).toMatchObject({ status: 404 })
    await student(favourites.toggleFile, { body: { ...file, type: '0' } })
    expect((await student(favourites.files)).data.total).toBe(before)
  })

  test('of the portal can become favourites if they are public or the member’s own', async () => {
    const { db } = app.platform
    const { rows } = await sql<{ id: string; open: boolean }>`
      select f.id, f.is_public as open from file f left join file_owner o on o.file_id = f.id
        left join account a on a.id = o.account_id
      where (a.username = 'student' and not f.is_public) or f.is_public order by f.id`.execute(db)
    const [own, shown] = [rows.find(({ open }) => !open), rows.find(({ open }) => open)]
    const keep = (caller: Caller, id?: string, type = '1') =>
      caller(favourites.toggleFile, {
        body: { fileLink: `/files/${id}`, fileName: 'a.pdf', type },
      })
    const [student, teacher] = [await app.as('student'), await app.as('teacher')]
    expect((await keep(student, own?.id)).status).toBe(200)
    expect((await keep(student, shown?.id)).status).toBe(200)
    expect((await keep(teacher, shown?.id)).status).toBe(200)
    expect(await keep(teacher, own?.id)).toMatchObject({ status: 404, error: 'file.not_found' })
    // Outside files are not included.
    expect((await student(favourites.fileLinks)).data).toEqual([
      `/files/${shown?.id}`,
      `/files/${own?.id}`,
    ])
    expect((await teacher(favourites.fileLinks)).data).toEqual([`/files/${shown?.id}`])
    expect((await app.visitor(favourites.fileLinks)).status).toBe(401)
    await keep(student, own?.id, '0')
    expect((await student(favourites.fileLinks)).data).toEqual([`/files/${shown?.id}`])
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a:b@x.example/',
    '/pages/x',
    '/files/999999',
  ])('with the address %s are rejected', async (fileLink) => {
    const student = await app.as('student')
    expect(
      await student(favourites.toggleFile, { body: { fileLink, fileName: 'x', type: '1' } }),
    ).toMatchObject({ status: 404, error: 'file.not_found' })
  })
})

test('a full list rejects new favourites; existing ones can be added again and renamed', async () => {
  const { db } = app.platform
  const staff = await app.as('staff')
  const accountId = await accountOf('staff')
  const [service, otherService] = [
    await addService(app.platform, 'T-FULL', everybody),
    await addService(app.platform, 'T-FULL-OTHER', everybody),
  ]
  const { list } = (await staff(news.list, { query: { pageSize: 2 } })).data
  const [article, otherArticle] = list.map(({ id }) => id) as [string, string]
  const file = (fileLink: string, fileName: string) =>
    staff(favourites.toggleFile, { body: { fileLink, fileName, type: '1' } })
  const keepService = (serviceId: string) => staff(favourites.addService, { body: { serviceId } })
  const keepArticle = (id: string) => staff(favourites.toggleNews, { body: { id, type: '1' } })
  const link = 'https://files.example.edu/full.pdf'
  await keepService(service)
  await keepArticle(article)
  await file(link, 'a.pdf')

  await sql`
    insert into service (service_no, name, type_id, url, audience_id, online)
    select 'T-FULL-' || n, 'T', type_id, url, audience_id, false from service, generate_series(1, ${maxFavourites}) n
    where id = ${service}`.execute(db)
  await sql`
    insert into article (column_id, title, published_at, source, source_key)
    select column_id, 'full ' || n, now() - interval '9 years', 'full', n::text
    from article, generate_series(1, ${maxFavourites}) n where id = ${article}`.execute(db)
  await sql`
    insert into service_favourite (account_id, service_id, position)
    select ${accountId}, id, row_number() over (order by id) from service where service_no like 'T-FULL-%'
      and id <> ${otherService}
    limit ${maxFavourites} - (select count(*) from service_favourite where account_id = ${accountId})`.execute(
    db,
  )
  await sql`
    insert into article_favourite (account_id, article_id, position)
    select ${accountId}, id, row_number() over (order by id) from article where source = 'full'
    limit ${maxFavourites} - (select count(*) from article_favourite where account_id = ${accountId})`.execute(
    db,
  )
  await sql`
    insert into file_favourite (account_id, file_link, file_name, position)
    select ${accountId}, 'https://files.example.edu/' || n, '', n from generate_series(1, ${maxFavourites}) n
    limit ${maxFavourites} - (select count(*) from file_favourite where account_id = ${accountId})`.execute(
    db,
  )

  for (const refused of [
    await keepService(otherService),
    await keepArticle(otherArticle),
    await file('https://files.example.edu/new.pdf', 'new.pdf'),
  ])
    expect(refused.error).toBe('favourite.too_many')
  expect((await keepService(service)).status).toBe(200)
  expect((await keepArticle(article)).status).toBe(200)
  expect((await file(link, 'b.pdf')).status).toBe(200)
  const { data } = await staff(favourites.files, { query: { keyWords: 'b.pdf' } })
  expect(data.list).toMatchObject([{ fileLink: link, fileName: 'b.pdf' }])

  await sql`delete from service where service_no like 'T-FULL%'`.execute(db)
  await sql`delete from article where source = 'full'`.execute(db)
  await sql`delete from file_favourite where account_id = ${accountId}`.execute(db)
})

describe('history', () => {
  test('lists each article once, the most recent first; entries can be removed', async () => {
    const staff = await app.as('staff')
    const ids = (await staff(news.list, { query: { pageSize: 50 } })).data.list.map(({ id }) => id)
    const [one, two] = [ids[40], ids[45]] as [string, string]
    for (const id of [one, two, one]) await staff(history.record, { body: { id } })
    const seen = async () =>
      (await staff(history.list, { query: { pageSize: 200 } })).data.list.map(({ id }) => id)
    expect((await seen()).slice(0, 2)).toEqual([one, two])
    expect((await seen()).filter((id) => id === one)).toHaveLength(1)
    const first = (await staff(history.list, { query: { pageSize: 1 } })).data
    const second = await staff(history.list, { query: { pageSize: 1, cursor: first.nextCursor } })
    expect(second.data.list[0]?.id).toBe(two)

    // Another member's clearing changes nothing.
    await (await app.as('admin'))(history.clear)
    await staff(history.remove, { params: { id: one } })
    expect((await seen())[0]).toBe(two)
    await staff(history.clear)
    expect(await seen()).toEqual([])
    expect((await app.visitor(history.list)).status).toBe(401)
  })

  test('records nothing for a member who has turned off usage recording', async () => {
    const admin = await app.as('admin')
    const id = (await admin(news.list, { query: { pageSize: 1 } })).data.list[0]?.id
    await updatePrivacy(app.platform.db, await accountOf('admin'), { useRecorded: false })
    expect((await admin(history.record, { body: { id } })).status).toBe(200)
    expect((await admin(history.list)).data.total).toBe(0)
    await updatePrivacy(app.platform.db, await accountOf('admin'), { useRecorded: true })
    await admin(history.record, { body: { id } })
    expect((await admin(history.list)).data.total).toBe(1)
  })

  test('drops the oldest entry beyond its limit', async () => {
    const { db } = app.platform
    const accountId = await accountOf('admin')
    await sql`
      insert into article (column_id, title, published_at, source, source_key)
      select (select min(id) from news_column), 'old ' || n, now() - interval '9 years', 'test', n::text
      from generate_series(1, ${maxVisits}) n`.execute(db)
    await sql`
      insert into article_visit (account_id, article_id, visited_at)
      select ${accountId}, id, now() - interval '1 day' - id * interval '1 second' from article where source = 'test'`.execute(
      db,
    )
    const admin = await app.as('admin')
    const id = (await admin(news.list, { query: { pageSize: 2 } })).data.list[1]?.id
    await admin(history.record, { body: { id } })
    const { data } = await admin(history.list, { query: { pageSize: 1 } })
    expect(data).toMatchObject({ total: maxVisits, list: [{ id }] })
  })
})

const accountOf = async (username: string) =>
  (
    await app.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
