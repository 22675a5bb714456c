import { exports } from '@atrium/contract/identity/directory'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { testApp } from '../../../../test/test-app.ts'
import { importIdentityTypes } from './import-identity-types.ts'
import { importMembers } from './import-members.ts'
import { importOrganizations } from './import-organizations.ts'

const { platform, as, visitor } = await testApp()
const files = ownFolder()

/** Formula prefixes, and characters that break lines or cells. */
const hostile = [
  '=1+1',
  '+8613800000000',
  '-2',
  '@SUM(A1)',
  "'=1",
  "''=1",
  "'plain",
  'a"b',
  'a,b;c',
  "O'Hara",
  '=HYPERLINK("x")\n甲',
]

beforeAll(async () => {
  const { db } = platform
  const rows = await db
    .selectFrom('person')
    .select('id')
    .orderBy('id')
    .limit(hostile.length)
    .execute()
  for (const [at, { id }] of rows.entries())
    await db
      .updateTable('person')
      .set({ name: hostile[at] as string, external_key: at % 2 === 0 ? `key-${at}` : null })
      .where('id', '=', id)
      .execute()
})

const facts = async (db: typeof platform.db) =>
  (
    await sql`
      select account.username, person.name, person.name_en, account.identity_type_code, organization.code, organization.path,
             person.mobile, person.email, account.status, person.external_key,
             (select array_agg(member_group.code order by member_group.code) from group_member
              join member_group on member_group.id = group_id where account_id = account.id) as groups
      from account join person on person.id = account.person_id join organization on organization.id = account.organization_id
      order by account.username`.execute(db)
  ).rows
const places = async (db: typeof platform.db) =>
  (
    await sql`select code, name, name_en, path, position from organization order by code`.execute(
      db,
    )
  ).rows

test('an export imported into an empty installation yields the same data', async () => {
  const admin = await as('admin')
  const members = await admin(exports.members, { body: {} })
  const organizations = await admin(exports.organizations, { body: {} })
  expect(members.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(members.headers['content-disposition']).toContain('members.csv')

  const own = await ownDatabase()
  const settings = listening()
  const types = await platform.db.selectFrom('identity_type').selectAll().execute()
  const csv = types.map(({ code, name, label }) => `${code},${name},${label ?? ''}\n`).join('')
  await runImport(own.url, settings, (run) =>
    importIdentityTypes(run, files.write('i.csv', `code,name,label\n${csv}`)),
  )
  await runImport(own.url, settings, (run) =>
    importOrganizations(run, files.write('o.csv', organizations.raw)),
  )
  const report = await runImport(own.url, settings, (run) =>
    importMembers(run, files.write('m.csv', members.raw)),
  )
  expect(settings.issues).toEqual([])
  expect(report.skipped).toBe(0)
  expect(await places(own.db)).toEqual(await places(platform.db))
  expect(await facts(own.db)).toEqual(await facts(platform.db))
})

test('no cell begins with a formula character', async () => {
  const { raw } = await (await as('admin'))(exports.members, { body: {} })
  const cells = raw.split(/[,\r\n]+/).map((cell) => cell.replace(/^"/, ''))
  expect(cells.length).toBeGreaterThan(10_000)
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([])
})

test('exporting requires an identity operator and is audited', async () => {
  expect((await visitor(exports.members, { body: {} })).status).toBe(401)
  expect((await (await as('student'))(exports.members, { body: {} })).status).toBe(403)
  const { rows } = await sql`
    select from audit_entry where action = 'POST /console-api/v1/exports/members' and outcome = 'ok'`.execute(
    platform.db,
  )
  expect(rows.length).toBeGreaterThan(0)
})
