import { endpoints } from '@atrium/contract'
import type { Endpoint, EndpointTable } from '@atrium/contract/define'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { indexNames } from '#domains/identity/members/name-index.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { updatePrivacy } from './settings.ts'

let app: TestApp
let student: Caller
const username = 'wei-yinxing'
const name = '隗隐行'
/** Names of the search parameter in endpoints that find people. */
const words = ['keyWords', 'q', 'text'] as const

beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  const { db } = app.platform
  await sql`
    with one as (insert into person (name, name_en) values (${name}, 'Wei Yinxing') returning id)
    insert into account (person_id, username, identity_type_code, organization_id, status)
    select one.id, ${username}, teacher.identity_type_code, teacher.organization_id, teacher.status
    from one, account teacher where teacher.username = 'teacher'`.execute(db)
  while ((await indexNames(db)) > 0);
})

const setListed = async (listed: boolean) => {
  const { db, topics } = app.platform
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  await db.transaction().execute((db) => updatePrivacy(db, id, { listed }))
  await topics.flushed()
}

/** Every member endpoint with a search parameter, and the parameter's name. */
const searches = Object.values<EndpointTable>(endpoints)
  .flatMap((table) => Object.values<Endpoint>(table))
  .filter(
    ({ access, method }) => access !== 'operator' && access !== 'integration' && method === 'GET',
  )
  .flatMap((endpoint) => {
    const fields = (endpoint.query as { properties?: object } | undefined)?.properties ?? {}
    const field = words.find((one) => one in fields)
    return field ? [{ endpoint, field }] : []
  })

/** Matches results, but not search words echoed in the answer. */
const tells = new RegExp(`"(name|title|accountName)":"(${name}|${username})"`)

/** Paths of endpoints that find the person by these words. */
async function finding(text: string) {
  const found: string[] = []
  for (const { endpoint, field } of searches) {
    const { status, raw } = await student(endpoint, { query: { [field]: text } })
    if (status === 200 && tells.test(raw)) found.push(endpoint.path)
  }
  return found
}

test('an unlisted member is not found by name in any search', async () => {
  expect(searches.length).toBeGreaterThan(10)
  await setListed(true)
  const open = await finding(name)
  expect(open).toEqual(
    expect.arrayContaining([
      endpoints.todos.people.path,
      endpoints.privacy.findMembers.path,
      endpoints.addressBook.people.path,
    ]),
  )
  await setListed(false)
  for (const text of [name, '隗隐', 'weiyinxing', 'wyx', 'Wei Yinxing'])
    expect(await finding(text), text).toEqual([])
})

test('an unlisted member is found by the full username, except in the address book', async () => {
  await setListed(false)
  const known = await finding(username)
  expect(known).toEqual(
    expect.arrayContaining([endpoints.privacy.findMembers.path, endpoints.todos.people.path]),
  )
  expect(known).not.toContain(endpoints.addressBook.people.path)
  expect(await finding('wei-yinx')).toEqual([])
})
