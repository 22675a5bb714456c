import { search } from '@atrium/contract/discovery/search'
import { organizationHeads } from '@atrium/contract/identity/heads.operator'
import {
  addressBook,
  maxFavourites,
  maxHits,
  maxPeople,
} from '@atrium/contract/member/address-book'
import { bookPosts } from '@atrium/contract/member/address-book.operator'
import { privacy } from '@atrium/contract/member/privacy'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { indexNames } from '#domains/identity/members/name-index.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { nameSortKey } from './book.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let admin: Caller
const db = () => app.platform.db
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  admin = await app.as('admin')
})
type Key = Parameters<typeof updateSetting>[1]
const set = async (values: Partial<Record<Key, string>>) => {
  await db()
    .transaction()
    .execute(async (db) => {
      for (const [key, value] of Object.entries(values)) await updateSetting(db, key as Key, value)
    })
  await app.platform.topics.flushed()
}
const fresh = () => sql`delete from address_book_use`.execute(db())
afterEach(async () => {
  await set({
    ENV_ENABLE_ADDRESSLIST: '1',
    addressBookReaders: '[]',
    addressBookHiddenIdentities: '[]',
    addressBookHiddenOrganizations: '[]',
    addressBookFields: '["mobile","email","portrait","office"]',
    addressBookPeopleADay: '300',
    privacyListed: '1',
  })
  await fresh()
})
const level = async (caller: Caller, parentId?: string) =>
  (await caller(addressBook.organizations, { query: { ...(parentId && { parentId }) } })).data
const ofTop = async (name: string, caller = student) => {
  const [top] = (await level(caller)).list
  const { list } = await level(caller, top?.id)
  const found = list.find((one) => one.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}
const read = (caller: Caller, accountName: string) =>
  caller(addressBook.person, { params: { accountName } })
const find = async (caller: Caller, keyWords: string, more: object = {}) =>
  (await caller(addressBook.people, { query: { keyWords, ...more } })).data
const someTeacher = async () => {
  const { rows } = await sql<{ username: string; organizationId: string }>`
    select username, organization_id::text as "organizationId" from account
    where identity_type_code = 'T02' order by id limit 1`.execute(db())
  return rows[0] as { username: string; organizationId: string }
}
const setListed = async (username: string, listed: boolean | null) => {
  await sql`insert into privacy_setting (account_id, listed) select id, ${listed} from account where username = ${username}
    on conflict (account_id) do update set listed = excluded.listed`.execute(db())
  await sql`select pg_notify('atrium', '{"kind":"topic","key":"people"}')`.execute(db())
  await app.platform.topics.flushed()
}

describe('the organisation tree', () => {
  test('opens level by level with the number of people in and below each organisation', async () => {
    const { list, path } = await level(student)
    expect(path).toEqual([])
    expect(list).toHaveLength(1)
    const [top] = list
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from account where status <> 'disabled'`.execute(db())
    expect(top).toMatchObject({ name: '江岚大学', people: rows[0]?.count, hasBelow: true })
    const school = await ofTop('计算机学院')
    const below = await level(student, school.id)
    expect(below.path.map(({ name }) => name)).toEqual(['江岚大学', '计算机学院'])
    expect(below.list.map(({ name }) => name)).toContain('软件工程系')
    const there = await student(addressBook.people, { query: { orgId: school.id, pageSize: 9999 } })
    expect(there.data.total).toBe(below.people)
    expect(there.data.list).toHaveLength(maxPeople)
    const sum = below.list.reduce((total, { people }) => total + people, 0)
    expect(below.people + sum).toBe(school.people)
  })

  test('has the same ETag for every member until something changes', async () => {
    const first = await student(addressBook.organizations)
    const second = await teacher(addressBook.organizations)
    expect(second.headers.etag).toBe(first.headers.etag)
    const { username } = await someTeacher()
    await setListed(username, false)
    expect((await student(addressBook.organizations)).headers.etag).not.toBe(first.headers.etag)
    await setListed(username, null)
  })

  test('returns 404 for an unknown organisation', async () => {
    const query = { parentId: '999999' }
    expect(await student(addressBook.organizations, { query })).toMatchObject({
      status: 404,
      error: 'address_book.organization_not_found',
    })
    expect(await student(addressBook.people, { query: { orgId: '999999' } })).toMatchObject({
      status: 404,
    })
  })
})

describe('people', () => {
  test.each(['周明远', 'zhoumingyuan', 'zmy', 'teacher', 'Zhou Ming'])(
    'are found by name, pinyin, initials or username: %s',
    async (words) => {
      const { list } = await find(student, words)
      expect(list.map(({ accountName }) => accountName)).toContain('teacher')
    },
  )

  test('are found by title and organisation', async () => {
    const { list, total } = await find(student, '计算机学院 辅导员')
    expect(total).toBeGreaterThan(0)
    for (const one of list) expect(one).toMatchObject({ organization: '计算机学院' })
    for (const one of list) expect(one.title).toContain('辅导员')
    const school = await ofTop('法学院')
    const within = await find(student, '辅导员', { orgId: school.id })
    expect(within.total).toBeGreaterThan(0)
    for (const one of within.list) expect(one.organization).toBe('法学院')
    expect((await find(student, 'professor head')).total).toBeGreaterThan(0)
  })

  test('are paginated without gaps or duplicates, those with a post first', async () => {
    const school = await ofTop('计算机学院')
    const names: string[] = []
    for (let pageNo = 1; ; pageNo++) {
      const { data } = await student(addressBook.people, {
        query: { orgId: school.id, pageNo, pageSize: 50 },
      })
      names.push(...data.list.map(({ accountName }) => accountName))
      if (names.length >= data.total || data.list.length === 0) {
        expect(names).toHaveLength(data.total)
        break
      }
    }
    expect(new Set(names).size).toBe(names.length)
    expect(await read(student, names[0] ?? '')).toMatchObject({
      data: { title: expect.stringMatching(/./) },
    })
  })

  test('who are made head of the organisation are listed first immediately', async () => {
    const school = await ofTop('法学院')
    const first = async () => {
      const { data } = await student(addressBook.people, {
        query: { orgId: school.id, pageSize: 50 },
      })
      return data.list
    }
    const last = (await first()).at(-1)?.accountName ?? ''
    const params = { organization: 'LW' }
    await admin(organizationHeads.put, { params, body: { heads: [last] } })
    await app.platform.topics.flushed()
    expect((await first())[0]).toMatchObject({ accountName: last, leads: true })
    await admin(organizationHeads.put, { params, body: { heads: [] } })
  })

  test('are sorted by the pronunciation of the family name', async () => {
    const { rows } = await sql<{ name: string; place: number }>`
      select person.name, row_number() over (order by ${nameSortKey})::integer as place
      from (values ('曾丽'), ('张伟'), ('安然'), ('单小军'), ('陈晨'), ('欧阳春')) as person (name)`.execute(
      db(),
    )
    const sorted = rows.toSorted((one, other) => one.place - other.place)
    expect(sorted.map(({ name }) => name)).toEqual([
      '安然',
      '陈晨',
      '欧阳春',
      '单小军',
      '曾丽',
      '张伟',
    ])
  })

  test('are listed without contact data', async () => {
    const { list } = await find(student, '周明远')
    expect(Object.keys(list[0] ?? {})).not.toContain('mobile')
    expect(JSON.stringify(list)).not.toContain('138')
  })
})

describe('a person', () => {
  test('is shown with organisation, title and the contact data they allow', async () => {
    const { data } = await read(student, 'TEACHER')
    expect(data).toMatchObject({
      name: '周明远',
      title: '副教授',
      email: 'zhou.mingyuan@jianglan.example',
      // of the same school
      mobile: expect.stringMatching(/^138/),
      officePhone: expect.stringMatching(/^0579-/),
      self: false,
      listed: true,
      hears: true,
      favourite: true,
    })
    expect(data.path.map(({ name }) => name)).toEqual(['江岚大学', '计算机学院'])
    const other = await read(staff, 'teacher')
    expect(other.data).toMatchObject({ mobile: null, email: expect.any(String) })
    // The others have changed nothing, and by default mobile numbers are hidden.
    expect((await read(student, 'staff')).data).toMatchObject({ mobile: null, email: null })
  })

  test('is shown only with the fields the institution allows', async () => {
    await set({ addressBookFields: '["portrait"]' })
    expect((await read(student, 'teacher')).data).toMatchObject({
      mobile: null,
      email: null,
      officePhone: null,
      office: null,
    })
  })

  test('has no contact data in the search answer that the address book hides', async () => {
    const answer = async (caller: Caller) =>
      (await caller(search.find, { query: { keyWords: '周明远电话' } })).data.answer
    expect(JSON.stringify(await answer(student))).toMatch(/138\d{8}/)
    expect(JSON.stringify(await answer(staff))).not.toMatch(/138\d{8}/)
    await set({ addressBookFields: '["office"]' })
    expect(JSON.stringify(await answer(student))).not.toMatch(/138\d{8}|zhou\.mingyuan@/)
    await set({ addressBookFields: '["mobile","email"]' })
    await setListed('teacher', false)
    expect(JSON.stringify(await answer(student))).not.toMatch(/138\d{8}|zhou\.mingyuan@/)
    await setListed('teacher', null)
  })

  test('is shown with their other listed account', async () => {
    const { rows } = await sql<{ first: string; second: string }>`
      select min(username) as first, max(username) as second from account
      group by person_id having count(*) = 2 limit 1`.execute(db())
    const { first = '', second = '' } = rows[0] ?? {}
    const { data } = await read(teacher, first)
    expect(data.others.map(({ accountName }) => accountName)).toEqual([second])
    expect(data.others[0]?.name).toBe(data.name)
    await setListed(second, false)
    expect((await read(teacher, first)).data.others).toEqual([])
    await setListed(second, null)
  })

  test('who has blocked the caller is shown as not receiving their messages', async () => {
    const { rows } = await sql<{ id: string; mine: string }>`
      select t.id::text, s.id::text as mine from account t, account s where t.username = 'teacher' and s.username = 'student'`.execute(
      db(),
    )
    const { id = '', mine = '' } = rows[0] ?? {}
    await sql`insert into member_block (account_id, blocked_account_id) values (${id}, ${mine})`.execute(
      db(),
    )
    expect((await read(student, 'teacher')).data.hears).toBe(false)
    await sql`delete from member_block where account_id = ${id}`.execute(db())
  })
})

describe('an unlisted person', () => {
  test('is missing from counts, lists and search, and has the same 404 as an unknown person', async () => {
    const { username, organizationId } = await someTeacher()
    await student(addressBook.addFavourite, { params: { accountName: username } })
    const before = {
      top: (await level(student)).list[0]?.people ?? 0,
      there: (await student(addressBook.people, { query: { orgId: organizationId } })).data.total,
      found: (await find(student, username)).total,
      favourites: (await student(addressBook.favourites)).data.length,
    }
    expect(before.found).toBe(1)
    await setListed(username, false)
    expect((await level(student)).list[0]?.people).toBe(before.top - 1)
    const there = await student(addressBook.people, { query: { orgId: organizationId } })
    expect(there.data.total).toBe(before.there - 1)
    expect(await find(student, username)).toMatchObject({ total: 0, list: [] })
    expect((await student(addressBook.favourites)).data).toHaveLength(before.favourites - 1)
    const shape = ({ status, error, data, fields }: Awaited<ReturnType<typeof read>>) => ({
      status,
      error,
      data,
      fields,
    })
    const hidden = await read(student, username)
    expect(hidden).toMatchObject({ status: 404, error: 'address_book.not_found' })
    expect(shape(hidden)).toEqual(shape(await read(student, 'nobody-of-this-name')))
    expect(
      await student(addressBook.addFavourite, { params: { accountName: username } }),
    ).toMatchObject({ status: 404, error: 'address_book.not_found' })
    const everything = await student(search.find, {
      query: { keyWords: username, types: 'person' },
    })
    expect(everything.data.groups.flatMap(({ list }) => list)).toEqual([])
    const { rows } = await sql<{ id: string }>`
      select id::text from account where username = ${username}`.execute(db())
    expect(await student(search.person, { params: { id: rows[0]?.id } })).toMatchObject({
      status: 404,
    })
    await setListed(username, null)
    expect((await student(addressBook.favourites)).data).toHaveLength(before.favourites)
    await student(addressBook.removeFavourite, { params: { accountName: username } })
  })

  test('is hidden as soon as they change the privacy setting, except from themselves', async () => {
    expect((await read(student, 'staff')).status).toBe(200)
    const saved = await staff(privacy.update, { body: { listed: false } })
    expect(saved.data.listed).toBe(false)
    expect((await read(student, 'staff')).status).toBe(404)
    expect((await read(staff, 'staff')).data).toMatchObject({ self: true, listed: false })
    await staff(privacy.update, { body: { listed: true } })
    expect((await read(student, 'staff')).status).toBe(200)
  })

  test('is everybody who has not chosen, if that is the institution’s default', async () => {
    await set({ privacyListed: '0' })
    // Staff changed this setting above.
    expect((await level(student)).list[0]?.people).toBe(1)
  })

  test('can be everybody of an identity type or a department', async () => {
    const all = (await level(student)).list[0]?.people ?? 0
    await set({ addressBookHiddenIdentities: '["S01","S02"]' })
    expect((await level(teacher)).list[0]?.people).toBeLessThan(all)
    expect((await find(teacher, '林知夏')).list).toEqual([])
    expect((await read(teacher, 'student')).status).toBe(404)
    const school = await ofTop('计算机学院')
    await set({ addressBookHiddenIdentities: '[]', addressBookHiddenOrganizations: '["CS"]' })
    await expect(ofTop('计算机学院')).rejects.toThrow()
    expect((await student(addressBook.people, { query: { orgId: school.id } })).status).toBe(404)
    expect((await read(staff, 'teacher')).status).toBe(404)
  })
})

describe('the address book', () => {
  test('is closed to visitors, when it is turned off, and to members who are not its readers', async () => {
    expect((await app.visitor(addressBook.organizations)).status).toBe(401)
    await set({ ENV_ENABLE_ADDRESSLIST: '' })
    for (const answer of [
      await student(addressBook.organizations),
      await student(addressBook.people, { query: { keyWords: '周' } }),
      await read(student, 'teacher'),
      await student(addressBook.groups),
      await student(addressBook.favourites),
    ])
      expect(answer).toMatchObject({ status: 403, error: 'address_book.off' })
    // Any non-empty text enables it.
    await set({ ENV_ENABLE_ADDRESSLIST: 'yes', addressBookReaders: '["T01"]' })
    expect((await student(addressBook.organizations)).status).toBe(403)
    expect((await teacher(addressBook.organizations)).status).toBe(200)
    const found = await student(search.find, { query: { keyWords: '周明远', types: 'person' } })
    expect(found.data.groups.flatMap(({ list }) => list)).toEqual([])
  })
})

describe('copying the address book is limited', () => {
  test('by the people requested per day, including unknown names', async () => {
    await fresh()
    await set({ addressBookPeopleADay: '3' })
    expect((await read(student, 'nobody-1')).status).toBe(404)
    expect((await read(student, 'teacher')).status).toBe(200)
    expect((await read(student, 'staff')).status).toBe(200)
    expect(await read(student, 'admin')).toMatchObject({ status: 429, error: 'request.too_many' })
    expect(await read(student, 'nobody-2')).toMatchObject({ status: 429 })
    const { rows } = await sql<{ id: string }>`
      select id::text from account where username = 'admin'`.execute(db())
    expect((await student(search.person, { params: { id: rows[0]?.id } })).status).toBe(429)
    expect((await read(teacher, 'admin')).status).toBe(200)
  })

  test('by the lists requested per minute', async () => {
    await fresh()
    await sql`insert into address_book_use (account_id, in_minute) select id, 120 from account where username = 'student'`.execute(
      db(),
    )
    expect((await student(addressBook.people, { query: { keyWords: '周' } })).status).toBe(429)
    await sql`update address_book_use set minute = now() - interval '61 seconds'`.execute(db())
    expect((await student(addressBook.people, { query: { keyWords: '周' } })).status).toBe(200)
  })

  test('by the number of search results', async () => {
    await sql`
      with people as (insert into person (name)
        select '许多' || n from generate_series(1, ${maxHits + 10}) n returning id)
      insert into account (person_id, username, identity_type_code, organization_id)
      select people.id, 'many' || people.id, model.identity_type_code, model.organization_id
      from people, account model where model.username = 'student'`.execute(db())
    while ((await indexNames(db())) > 0) {
      // until every name is in the index
    }
    const { list, total } = await find(student, '许多', { pageSize: maxPeople })
    expect(total).toBe(maxHits)
    expect(list.length).toBeGreaterThan(0)
    const pageNo = Math.ceil(maxHits / maxPeople) + 1
    expect((await find(student, '许多', { pageSize: maxPeople, pageNo })).list).toEqual([])
    await sql`delete from account where username like 'many%'`.execute(db())
  })
})

describe('groups', () => {
  test('are only the caller’s own, and list their members', async () => {
    const { data } = await student(addressBook.groups)
    expect(data.length).toBeGreaterThan(2)
    const [group] = data
    const { data: there } = await student(addressBook.people, { query: { groupId: group?.id } })
    expect(there.total).toBe(group?.people)
    const { rows } = await sql<{ id: string }>`
      select id::text from member_group where id not in (
        select group_id from group_member join account on id = account_id where username = 'student') limit 1`.execute(
      db(),
    )
    const other = await student(addressBook.people, { query: { groupId: rows[0]?.id } })
    expect(other.data).toMatchObject({ total: 0, list: [] })
  })
})

describe('favourites', () => {
  test('are visible only to their owner and limited in number', async () => {
    const params = { accountName: 'admin' }
    expect((await student(addressBook.addFavourite, { params })).status).toBe(200)
    expect((await student(addressBook.addFavourite, { params })).status).toBe(200)
    const mine = (await student(addressBook.favourites)).data.map(({ accountName }) => accountName)
    expect(mine[0]).toBe('admin')
    expect((await teacher(addressBook.favourites)).data).toEqual([])
    expect((await student(addressBook.removeFavourite, { params })).status).toBe(200)
    await sql`insert into address_book_favourite (account_id, favourite_account_id)
      select (select id from account where username = 'staff'), account.id from account where username not in ('staff', 'admin')
      order by account.id limit ${maxFavourites}`.execute(db())
    expect(await staff(addressBook.addFavourite, { params })).toMatchObject({
      error: 'address_book.favourites_full',
    })
    await sql`delete from address_book_favourite where account_id = (select id from account where username = 'staff')`.execute(
      db(),
    )
  })
})

describe('posts', () => {
  const post = { accountName: 'student', title: '学生会主席', titleEn: 'Head of the student union' }
  test('are set and removed by the operator of the department', async () => {
    expect((await student(bookPosts.put, { body: { posts: [post] } })).status).toBe(403)
    const { rows } = await sql<{ id: string; code: string; place: string }>`
      select account.id::text, organization.id::text as place, code from account, organization
      where username = 'teacher' and code = 'CS'`.execute(db())
    await insertGrants(db(), rows[0]?.id ?? '', ['identity'], rows[0]?.place ?? '')
    await app.platform.topics.flushed()
    expect((await teacher(bookPosts.put, { body: { posts: [post] } })).data).toEqual({ changed: 1 })
    expect((await read(staff, 'student')).data.title).toBe('学生会主席')
    expect((await find(staff, '学生会')).list.map(({ accountName }) => accountName)).toEqual([
      'student',
    ])
    // Accounts of other departments count as unknown.
    const elsewhere = { ...post, accountName: 'staff' }
    expect(
      (await teacher(bookPosts.put, { body: { posts: [post, elsewhere] } })).fields,
    ).toHaveProperty(['posts.1.accountName'])
    const listed = await teacher(bookPosts.list, { query: { pageSize: 9999 } })
    expect(listed.data.list.map(({ accountName }) => accountName)).toContain('student')
    expect(listed.data.list.map(({ accountName }) => accountName)).not.toContain('staff')
    const all = await admin(bookPosts.list, { query: { pageSize: 2 } })
    const next = await admin(bookPosts.list, {
      query: { pageSize: 2, cursor: all.data.nextCursor },
    })
    expect(next.data.list[0]?.accountName).not.toBe(all.data.list[0]?.accountName)
    await teacher(bookPosts.put, { body: { posts: [{ accountName: 'student' }] } })
    expect((await read(staff, 'student')).data.title).toBe('')
  })
})
