import { favourites } from '@atrium/contract/member/favourites'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalidate } from '#platform/database/topics.ts'
import { addService, changeService, everybody, forIdentity } from '../../../../test/service.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { computeRankings } from './rankings.ts'
import { indexServices } from './search.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('the catalogue', () => {
  test('the overview returns the types and the first list in one response', async () => {
    const student = await app.as('student')
    const { data } = await student(services.overview)
    expect(data.total).toBeGreaterThan(50)
    expect(data.types.length).toBeGreaterThan(5)
    expect(data.common).toHaveLength(5)
    expect(data.first.list.length).toBe(
      data.types.find((type) => type.id === data.first.typeId)?.count,
    )
  })

  test('a list has a total, and the page size is limited to 200', async () => {
    const student = await app.as('student')
    const { data } = await student(services.list, { query: { pageSize: 9999 } })
    expect(data).toMatchObject({ pageNo: 1, pageSize: 200 })
    expect(data.list).toHaveLength(Math.min(data.total, 200))
    const past = await student(services.list, { query: { pageNo: 90, pageSize: 200 } })
    expect(past.data).toMatchObject({ list: [], total: data.total })
  })

  test('departments count only the services the caller may use, and filter a list', async () => {
    const student = await app.as('student')
    const { data: departments } = await student(services.departments)
    expect(departments.length).toBeGreaterThan(1)
    for (const { organizationId, name, count } of departments) {
      const { data } = await student(services.list, { query: { organizationId, pageSize: 200 } })
      expect(data.total).toBe(count)
      expect(new Set(data.list.map((service) => service.departmentName))).toEqual(new Set([name]))
    }
    const sum = (list: { count: number }[]) => list.reduce((all, { count }) => all + count, 0)
    const visitors = (await app.visitor(services.departments)).data
    expect(sum(visitors)).toBeLessThan(sum(departments))
  })

  test('a service is found by its name, and wildcards are literal', async () => {
    const student = await app.as('student')
    const all = await student(services.list, { query: { pageSize: 200 } })
    const one = all.data.list.find((service) => service.serviceName.length >= 3)
    expect(one).toBeDefined()
    const found = await student(services.list, { query: { keyWords: one?.serviceName } })
    expect(found.data.list.map((service) => service.serviceId)).toContain(one?.serviceId)
    expect((await student(services.list, { query: { keyWords: '%' } })).data.total).toBe(0)
  })

  test('a service without access is in no list or search and cannot be read or opened', async () => {
    const id = await addService(app.platform, 'T-TEACHERS', forIdentity('T01'), '教师专用服务')
    for (const caller of [await app.as('student'), app.visitor]) {
      expect(
        (await caller(services.list, { query: { keyWords: '教师专用服务' } })).data.total,
      ).toBe(0)
      expect(await caller(services.read, { query: { serviceId: id } })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
      expect(await caller(serviceOpening.launch, { body: { serviceId: id } })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
    }
    const teacher = await app.as('teacher')
    expect((await teacher(services.read, { query: { serviceId: id } })).data.serviceName).toBe(
      '教师专用服务',
    )
  })

  test('a change updates a cached list immediately on the node that made it', async () => {
    const student = await app.as('student')
    const before = (await student(services.list)).data.total
    await addService(app.platform, 'T-EVERYBODY', everybody)
    expect((await student(services.list)).data.total).toBe(before + 1)
  })

  test('a cached response has an ETag and returns 304 if it is unchanged', async () => {
    const first = await app.visitor(services.types)
    const again = await app.app.inject({
      url: services.types.path,
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })
})

describe('searching services', () => {
  const found = async (keyWords: string, more: object = {}) => {
    const student = await app.as('student')
    const { data } = await student(services.list, { query: { keyWords, pageSize: 200, ...more } })
    return data.list.map((service) => service.serviceName)
  }

  test('matches words in any order, parts of words, full-width letters, numbers and synonyms', async () => {
    await addService(app.platform, 'T-FIND-7', everybody, '研究生出国交流项目申报')
    for (const words of [
      '申报 出国',
      '交流',
      '研究生项目',
      'yanjiusheng',
      'yjscg',
      't-find-7',
      'Ｔ－ｆｉｎｄ',
    ])
      expect(await found(words), words).toContain('研究生出国交流项目申报')
    expect(await found('出国 食堂')).not.toContain('研究生出国交流项目申报')
    // These words are not in the catalogue, only in the operators' synonyms.
    expect(await found('班车')).toContain('校车')
    expect(await found('bus')).toContain('校车')
    expect((await found('校车'))[0]).toBe('校车')
  })

  test.each(["'", '\\', '& | !', "q9' | '甲", '<script>', '%_', ':*', '(('])(
    'for %j finds the services with this text only',
    async (words) => {
      await addService(app.platform, `T-LITERAL ${words}`, everybody, `甲${words}乙`)
      expect(await found(words)).toEqual([`甲${words}乙`])
    },
  )

  test('finds a renamed service immediately and only by its new name', async () => {
    const id = await addService(app.platform, 'T-RENAME', everybody, '龙舟训练报名')
    expect(await found('龙舟')).toContain('龙舟训练报名')
    const { db, topics } = app.platform
    await db.transaction().execute(async (db) => {
      await db.updateTable('service').set({ name: '赛艇训练报名' }).where('id', '=', id).execute()
      await invalidate(db, 'services')
    })
    await topics.flushed()
    expect(await found('赛艇')).toContain('赛艇训练报名')
    expect(await found('龙舟')).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['tags', { tags: ['并发标签'] }],
    ['service number', { service_no: 'T-CONCURRENT' }],
    ['English summary', { summary_en: 'Concurrency' }],
    ['text moved from one column to the next', { name_en: 'T-', summary: 'SPLIT' }],
  ])('a change of %s during indexing is not overwritten', async (what, columns) => {
    const { db } = app.platform
    const id = await addService(app.platform, `T-RACE ${what}`, everybody)
    await db
      .updateTable('service')
      .set({ name_en: 'T', summary: '-SPLIT', search: null })
      .where('id', '=', id)
      .execute()
    let indexing = Promise.resolve()
    await db.transaction().execute(async (changing) => {
      await changing.updateTable('service').set(columns).where('id', '=', id).execute()
      indexing = indexServices(db)
      // It has read the old row and waits for the lock to write what it made of it.
      await expect
        .poll(async () => {
          const { rows } = await sql`select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%update service set%'`.execute(db)
          return rows.length
        })
        .toBeGreaterThan(0)
    })
    await indexing
    const { search } = await db
      .selectFrom('service')
      .select('search')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(search).toBeNull()
    await indexServices(db)
  })

  test('filters by organisation, tag, terminal and validity', async () => {
    const id = await addService(app.platform, 'T-APP-ONLY', everybody, '仅限应用内的服务')
    const organizations = await app.platform.db
      .selectFrom('organization')
      .select('id')
      .orderBy('id')
      .limit(2)
      .execute()
    const [own, other] = organizations.map((row) => row.id)
    await changeService(app.platform, id, {
      terminals: ['2'],
      tags: ['限定'],
      organization_id: own,
    })
    expect(await found('仅限应用内', { organizationId: own })).toEqual(['仅限应用内的服务'])
    expect(await found('仅限应用内', { organizationId: other })).toEqual([])
    expect(await found('仅限应用内', { platformType: 'app' })).toHaveLength(1)
    expect(await found('仅限应用内', { platformType: '6' })).toHaveLength(0)
    const student = await app.as('student')
    const tagged = await student(services.list, { query: { tag: '限定' } })
    expect(tagged.data.list.map((service) => service.serviceId)).toEqual([id])
    await changeService(app.platform, id, { valid_until: '2020-01-01T00:00:00Z' })
    expect(await found('仅限应用内')).toHaveLength(0)
    expect(await student(services.read, { query: { serviceId: id } })).toMatchObject({
      status: 404,
      error: 'service.not_found',
    })
  })

  test('recent, recommended, forced and common services are listed', async () => {
    const student = await app.as('student')
    const { list } = (await student(services.recentlyOnline)).data
    expect(list.length).toBeGreaterThan(50)
    const recommended = (await student(services.recommended)).data
    expect(recommended.total).toBeGreaterThan(3)
    expect(recommended.list.every((service) => service.recommended)).toBe(true)
    const forced = (await app.visitor(services.forceRecommended)).data
    expect(forced.map((service) => service.serviceName)).toEqual(['信息化服务台'])
    const common = (await student(services.common)).data.list.map((service) => service.useCount)
    expect(common).toEqual(common.toSorted((a, b) => b - a))
  })
})

describe('rankings', () => {
  test('rank recent use of the services the caller may use, and ties share a rank', async () => {
    const [once, twin, hidden] = [
      await addService(app.platform, 'T-RANK-1', everybody),
      await addService(app.platform, 'T-RANK-2', everybody),
      await addService(app.platform, 'T-RANK-3', forIdentity('T01')),
    ]
    const { db, topics } = app.platform
    const day = (ago: number) => sql<string>`current_date - ${ago}::integer`
    await db
      .insertInto('service_use_day')
      .values([
        { service_id: once, day: day(1), shard: 0, uses: 900_000 },
        { service_id: twin, day: day(1), shard: 3, uses: 450_000 },
        { service_id: twin, day: day(2), shard: 4, uses: 450_000 },
        { service_id: hidden, day: day(1), shard: 0, uses: 990_000 },
        // Old: only in the quarter window.
        { service_id: once, day: day(60), shard: 0, uses: 5 },
      ])
      .execute()
    await computeRankings(db)
    await topics.flushed()
    const student = await app.as('student')
    const { data } = await student(services.hot, { query: { window: 'week', pageSize: 2 } })
    expect(data.list.map(({ serviceId, rank, amount }) => [serviceId, rank, amount])).toEqual([
      [once, 1, 900_000],
      [twin, 1, 900_000],
    ])
    const quarter = await student(services.hot, { query: { window: 'quarter', pageSize: 1 } })
    expect(quarter.data.list[0]).toMatchObject({ serviceId: once, amount: 900_005 })
    const teacher = await app.as('teacher')
    expect((await teacher(services.hot)).data.list[0]?.serviceId).toBe(hidden)
    expect((await student(services.hot, { query: { pageNo: 900 } })).data).toMatchObject({
      list: [],
      total: data.total,
    })
  })

  test('rank the services that became favourites within the window', async () => {
    const id = await addService(app.platform, 'T-LIKED', everybody)
    for (const name of ['student', 'teacher', 'staff', 'admin'] as const)
      await (await app.as(name))(favourites.addService, { body: { serviceId: id } })
    await computeRankings(app.platform.db)
    await app.platform.topics.flushed()
    const { data } = await app.visitor(services.collectTop, { query: { window: 'week' } })
    expect(data.list.map(({ serviceId }) => serviceId)).not.toContain(id)
    const student = await app.as('student')
    const top = (await student(services.collectTop, { query: { window: 'week' } })).data.list
    expect(top[0]).toMatchObject({ serviceId: id, amount: 4, rank: 1 })
  })
})

describe('using services', () => {
  test('opening a service records the use and returns how to open it', async () => {
    const student = await app.as('student')
    const id = await addService(app.platform, 'T-LAUNCH', everybody)
    expect((await student(serviceOpening.launch, { body: { serviceId: id } })).data).toMatchObject({
      how: 'webview',
      url: 'https://example.edu/',
    })
    expect((await student(services.lastUsed)).data[0]?.serviceId).toBe(id)
    const teacher = await app.as('teacher')
    expect(
      (await teacher(services.lastUsed)).data.map((service) => service.serviceId),
    ).not.toContain(id)
    const all = (await student(services.lastUseList)).data
    expect(all.list[0]?.serviceId).toBe(id)
    expect(all.total).toBe(all.list.length)
  })

  test('repeated uses within an hour count once, and their durations add up', async () => {
    const student = await app.as('student')
    const id = await addService(app.platform, 'T-ONCE', everybody)
    const body = { serviceId: id }
    await Promise.all([1, 2, 3].map(() => student(serviceOpening.launch, { body })))
    await student(services.recordUse, { body })
    await student(services.saveUseTime, { body: { ...body, seconds: 40 } })
    await student(services.saveUseTime, { body: { ...body, seconds: 2 } })
    const { db } = app.platform
    const used = () =>
      db
        .selectFrom('service_use')
        .select(['use_count', sql<number>`seconds::integer`.as('seconds')])
        .where('service_id', '=', id)
        .execute()
    const uses = async () =>
      (
        await db
          .selectFrom('service_use_day')
          .select(sql<number>`sum(uses)::integer`.as('uses'))
          .where('service_id', '=', id)
          .executeTakeFirstOrThrow()
      ).uses
    expect(await used()).toEqual([{ use_count: 1, seconds: 42 }])
    expect(await uses()).toBe(1)
    // An hour later it counts as another use.
    await sql`update service_use set counted_at = now() - interval '1 hour' where service_id = ${id}`.execute(
      db,
    )
    await student(services.recordUse, { body })
    expect(await used()).toEqual([{ use_count: 2, seconds: 42 }])
    expect(await uses()).toBe(2)
    expect(await student(services.saveUseTime, { body: { ...body, seconds: -1 } })).toMatchObject({
      status: 400,
    })
    expect(
      await student(services.saveUseTime, { body: { serviceId: '999999', seconds: 1 } }),
    ).toMatchObject({ status: 404, error: 'service.not_found' })
  })

  test('visitors are rejected', async () => {
    for (const endpoint of [services.lastUsed, services.recordUse]) {
      expect(await app.visitor(endpoint, { body: { serviceId: '1' } })).toMatchObject({
        status: 401,
        error: 'session.required',
      })
    }
  })
})
