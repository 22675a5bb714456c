import {
  addressBook,
  contactGroups,
  maxContactGroups,
  maxGroupPeople,
} from '@atrium/contract/member/address-book'
import { privacy } from '@atrium/contract/member/privacy'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let teacher: Caller
let staff: Caller
const db = () => app.platform.db
beforeAll(async () => {
  app = await testApp()
  teacher = await app.as('teacher')
  staff = await app.as('staff')
})

const create = async (name: string, caller = teacher) =>
  (await caller(contactGroups.create, { body: { name } })).data.id
const add = (id: string, accountName: string, caller = teacher) =>
  caller(contactGroups.add, { params: { id, accountName } })
const read = (id: string, caller = teacher) => caller(contactGroups.read, { params: { id } })
const listed = async (accountName?: string, caller = teacher) =>
  (await caller(contactGroups.list, { query: { ...(accountName && { accountName }) } })).data
const namesIn = async (id: string) =>
  (await read(id)).data.people.map(({ accountName }) => accountName)

describe('contact groups', () => {
  test('can be created, filled, renamed and deleted', async () => {
    const id = await create('  教研室  ')
    expect((await add(id, 'student')).status).toBe(200)
    expect((await add(id, 'STUDENT')).status).toBe(200)
    expect((await add(id, 'staff')).status).toBe(200)
    expect(await listed('staff')).toMatchObject([{ id, name: '教研室', people: 2, holds: true }])
    expect((await listed('admin'))[0]?.holds).toBe(false)
    expect((await namesIn(id)).sort()).toEqual(['staff', 'student'])
    await teacher(contactGroups.leaveOut, { params: { id, accountName: 'staff' } })
    expect(await namesIn(id)).toEqual(['student'])
    const renamed = await teacher(contactGroups.rename, {
      params: { id },
      body: { name: '课题组' },
    })
    expect(renamed.status).toBe(200)
    expect((await read(id)).data.name).toBe('课题组')
    await teacher(contactGroups.remove, { params: { id } })
    expect((await read(id)).error).toBe('address_book.group_not_found')
    expect(await listed()).toEqual([])
  })

  test('have unique names, regardless of case', async () => {
    const id = await create('Team')
    const other = await create('Board')
    const again = await teacher(contactGroups.create, { body: { name: 'team' } })
    expect(again).toMatchObject({ status: 409, error: 'address_book.group_exists' })
    const renamed = await teacher(contactGroups.rename, {
      params: { id: other },
      body: { name: 'TEAM' },
    })
    expect(renamed.error).toBe('address_book.group_exists')
    // A group may be renamed to its own name with different capitals.
    expect(
      (await teacher(contactGroups.rename, { params: { id }, body: { name: 'TEAM' } })).status,
    ).toBe(200)
    for (const name of ['', '   ', 'x'.repeat(31)])
      expect((await teacher(contactGroups.create, { body: { name } })).status).toBe(400)
    for (const one of [id, other]) await teacher(contactGroups.remove, { params: { id: one } })
  })

  test('are not accessible to other members', async () => {
    const id = await create('只有我')
    const calls = [
      await read(id, staff),
      await add(id, 'student', staff),
      await staff(contactGroups.rename, { params: { id }, body: { name: 'Mine' } }),
      await staff(contactGroups.leaveOut, { params: { id, accountName: 'student' } }),
    ]
    for (const { error } of calls) expect(error).toBe('address_book.group_not_found')
    await staff(contactGroups.remove, { params: { id } })
    expect((await read(id)).data.name).toBe('只有我')
    expect(await listed(undefined, staff)).toEqual([])
    expect((await app.visitor(contactGroups.list)).status).toBe(401)
    await teacher(contactGroups.remove, { params: { id } })
  })

  test('do not show unlisted people and do not accept them', async () => {
    const id = await create('同事')
    await add(id, 'staff')
    await add(id, 'student')
    await staff(privacy.update, { body: { listed: false } })
    expect(await namesIn(id)).toEqual(['student'])
    expect((await listed('staff'))[0]).toMatchObject({ people: 1, holds: false })
    const other = await create('再来')
    expect((await add(other, 'staff')).error).toBe('address_book.not_found')
    expect((await add(other, 'nobody-of-this-name')).error).toBe('address_book.not_found')
    await staff(privacy.update, { body: { listed: true } })
    expect(await namesIn(id)).toHaveLength(2)
    for (const one of [id, other]) await teacher(contactGroups.remove, { params: { id: one } })
  })

  test('are limited in number, also under concurrent calls, and in size', async () => {
    const created = await Promise.all(
      Array.from({ length: maxContactGroups + 3 }, (_, at) =>
        teacher(contactGroups.create, { body: { name: `G${at}` } }),
      ),
    )
    expect(created.filter(({ status }) => status === 200)).toHaveLength(maxContactGroups)
    expect(created.filter(({ error }) => error === 'address_book.groups_full')).toHaveLength(3)
    const id = created.find(({ status }) => status === 200)?.data.id ?? ''
    await sql`
      insert into address_book_group_member (group_id, member_account_id)
      select ${id}::bigint, id from account where username not in ('student', 'staff') order by id
      limit ${maxGroupPeople}`.execute(db())
    expect((await add(id, 'student')).error).toBe('address_book.group_full')
    await sql`delete from address_book_group where name like 'G%'`.execute(db())
  })

  test('are closed when the address book is turned off', async () => {
    const set = (value: string) =>
      db()
        .transaction()
        .execute((db) => updateSetting(db, 'ENV_ENABLE_ADDRESSLIST', value))
    await set('')
    await app.platform.topics.flushed()
    expect((await teacher(contactGroups.list, { query: {} })).error).toBe('address_book.off')
    expect((await teacher(addressBook.favourites)).error).toBe('address_book.off')
    await set('1')
    await app.platform.topics.flushed()
  })
})
