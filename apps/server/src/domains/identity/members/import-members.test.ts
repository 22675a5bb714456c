import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type ImportSettings, runImport } from '#platform/ingest/import.ts'
import {
  listening,
  nameInGb18030,
  ouyangInGb18030,
  ownDatabase,
  ownFolder,
} from '../../../../test/own-database.ts'
import { importIdentityTypes } from './import-identity-types.ts'
import { importMembers } from './import-members.ts'
import { importOrganizations } from './import-organizations.ts'

const files = ownFolder()
let own: Awaited<ReturnType<typeof ownDatabase>>
beforeAll(async () => {
  own = await ownDatabase()
  await runImport(own.url, {}, (run) =>
    importIdentityTypes(
      run,
      files.write('i.csv', 'code,name,label\nS01,本科生,student\nT01,教师,teacher\n'),
    ),
  )
  await runImport(own.url, {}, (run) =>
    importOrganizations(run, files.write('o.csv', 'code,name\nCS,计算机学院\nHU,人文学院\n')),
  )
})

const members = (content: string | Uint8Array, settings: ImportSettings = listening()) =>
  runImport(own.url, settings, (run) => importMembers(run, files.write('members.csv', content)))
const account = (username: string) =>
  own.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.id',
      'person.id as personId',
      'name',
      'mobile',
      'status',
      'password_hash',
      'identity_type_code',
      'external_key',
    ])
    .where('username', '=', username)
    .executeTakeFirst()
const groupsOf = async (username: string) =>
  (
    await own.db
      .selectFrom('group_member')
      .innerJoin('member_group', 'member_group.id', 'group_id')
      .innerJoin('account', 'account.id', 'account_id')
      .select('code')
      .where('username', '=', username)
      .orderBy('code')
      .execute()
  ).map((row) => row.code)
const version = async () =>
  (
    await own.db
      .selectFrom('topic_version')
      .select('version')
      .where('topic', '=', 'directory')
      .executeTakeFirst()
  )?.version

const head = 'username,name,identityType,organizationCode,mobile,groups\n'

test('members are imported inactive and without password; reimporting changes nothing', async () => {
  const content = `${head}S1,李雷,S01,CS,138 0000-0001,g1;g2\nS2,韩梅梅,S01,HU,,g2\n`
  expect(await members(content)).toMatchObject({
    read: 2,
    added: 2,
    changed: 0,
    skipped: 0,
    written: true,
  })
  expect(await account('s1')).toMatchObject({
    name: '李雷',
    mobile: '13800000001',
    status: 'inactive',
    password_hash: null,
  })
  expect(await groupsOf('s1')).toEqual(['g1', 'g2'])
  const before = await version()
  expect(await members(content)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  expect(await version()).toBe(before)
})

test('a dry run reports the changes and writes nothing', async () => {
  const report = await members(`${head}d1,新,S01,CS,,\ns1,李磊,S01,CS,13800000001,g1;g2\n`, {
    dryRun: true,
  })
  expect(report).toMatchObject({ added: 1, changed: 1, written: false })
  expect(await account('d1')).toBeUndefined()
  expect(await account('s1')).toMatchObject({ name: '李雷' })
})

test('invalid rows are reported and skipped; strict mode then writes nothing', async () => {
  const content = `${head}b1,好,S01,CS,,\nb 2,坏,S01,CS,,\nb3,,S99,NO,x,\nb4,坏,S99,NO,,\nB1,又,S01,CS,,\n`
  const settings = listening({ strict: true })
  expect(await members(content, settings)).toMatchObject({
    read: 5,
    added: 1,
    skipped: 4,
    written: false,
  })
  expect(settings.issues).toEqual([
    "3: username is “b 2”; a username begins with a letter or digit, and has these and . - _ @ ' # ! ^ ~ + only, at most 128",
    '4: name is empty',
    '4: mobile is “x” and must be a telephone number',
    '5: identityType S99 is not known; known are S01, T01',
    '5: organizationCode NO is not known; import organisations first',
    '6: username b1 is in row 2 already',
  ])
  expect(await account('b1')).toBeUndefined()
  expect(await members(content)).toMatchObject({ added: 1, skipped: 4, written: true })
  expect(await account('b1')).toMatchObject({ name: '好' })
})

test('fields without a column are kept; an import never undoes an activation', async () => {
  await own.db
    .updateTable('account')
    .set({ status: 'active' })
    .where('username', '=', 's1')
    .execute()
  expect(
    await members('username,name,identityType,organizationCode,status\ns1,李雷雷,T01,CS,未激活\n'),
  ).toMatchObject({ changed: 1 })
  expect(await account('s1')).toMatchObject({
    name: '李雷雷',
    mobile: '13800000001',
    status: 'active',
    identity_type_code: 'T01',
  })
  expect(await groupsOf('s1')).toEqual(['g1', 'g2'])
  expect(await members(`${head}s1,李雷雷,T01,CS,,g2\n`)).toMatchObject({ changed: 1 })
  expect(await account('s1')).toMatchObject({ mobile: '' })
  expect(await groupsOf('s1')).toEqual(['g2'])
})

test('a verified contact is kept; an unverified one follows the file', async () => {
  const contacts = async () =>
    own.db
      .selectFrom('account')
      .innerJoin('person', 'person.id', 'account.person_id')
      .select(['mobile', 'email'])
      .where('username', '=', 'v1')
      .executeTakeFirst()
  const file = (mobile: string, email: string) =>
    `username,name,identityType,organizationCode,mobile,email\nv1,苏禾,S01,CS,${mobile},${email}\n`
  await members(file('13800000101', 'su@old.example'))
  await own.db
    .updateTable('person')
    .set({ mobile_verified_at: sql`now()` })
    .where('mobile', '=', '13800000101')
    .execute()
  const report = await members(file('13800000102', 'su@new.example'))
  expect(report).toMatchObject({ changed: 1 })
  expect(report.notes).toEqual([expect.stringContaining('verified themselves were kept')])
  expect(await contacts()).toEqual({ mobile: '13800000101', email: 'su@new.example' })
  // An empty cell does not clear it, and importing the same file again changes nothing.
  expect(await members(file('', 'su@new.example'))).toMatchObject({ changed: 0, unchanged: 1 })
  expect(await contacts()).toEqual({ mobile: '13800000101', email: 'su@new.example' })
  const same = await members(file('13800000101', 'su@new.example'))
  expect(same).toMatchObject({ unchanged: 1, notes: [] })
})

test('disabling a member ends their sessions and notifies the services', async () => {
  const { id } = (await account('s1')) as { id: string }
  const session = await own.db
    .insertInto('session')
    .values({ kind: 'portal', account_id: id, expires_at: sql<string>`now() + interval '1 day'` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const party = await own.db
    .insertInto('relying_party')
    .values({ code: 'used' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const used = { session_id: session.id, relying_party_id: party.id, protocol: 'cas' }
  await own.db
    .insertInto('relying_party_session')
    .values({ ...used, sealed_key: 'of s1' })
    .execute()
  await members('username,name,identityType,organizationCode,status\ns1,李雷雷,T01,CS,停用\n')
  const open = await own.db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  expect(open).toEqual([])
  // Services that used the session are notified immediately.
  const notices = await own.db.selectFrom('logout_notice').select('sealed_key').execute()
  expect(notices).toEqual([{ sealed_key: 'of s1' }])
})

test('accounts with one person key share a person, and existing persons are not merged', async () => {
  const keyed = 'username,name,identityType,organizationCode,personKey\n'
  expect(await members(`${keyed}p1,王芳,S01,CS,K1\np2,王芳,T01,CS,K1\n`)).toMatchObject({
    added: 2,
  })
  const [first, second] = [await account('p1'), await account('p2')]
  expect(first?.personId).toBe(second?.personId)
  expect(await members(`${keyed}p1,王芳,S01,CS,K1\np2,王芳,T01,CS,K1\n`)).toMatchObject({
    unchanged: 2,
  })
  const settings = listening()
  expect(await members(`${keyed}s2,韩梅梅,S01,HU,K1\n`, settings)).toMatchObject({ skipped: 1 })
  expect(settings.issues).toEqual(['2: personKey K1 belongs to another person than the account s2'])
  expect(await members(`${keyed}s2,韩梅梅,S01,HU,K2\n`)).toMatchObject({ changed: 1 })
  expect(await account('s2')).toMatchObject({ external_key: 'K2' })
})

test('a GB18030 file is detected automatically', async () => {
  await members(
    Buffer.concat([
      Buffer.from('username,'),
      nameInGb18030,
      Buffer.from(',identityType,organizationCode\ngb1,'),
      ouyangInGb18030,
      Buffer.from(',S01,CS\n'),
    ]),
  )
  expect(await account('gb1')).toMatchObject({ name: '欧阳' })
})

test('an interrupted import writes nothing', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `k${index},成员${index},S01,CS,,g9`)
  const broken = runImport(own.url, {}, async (run) => {
    await importMembers(run, files.write('many.csv', head + rows.join('\n')))
    // As when the server is shut down or its disk is full.
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(run.db)
    return { added: 0, changed: 0, unchanged: 0 }
  })
  await expect(broken).rejects.toThrow(
    /The connection to the database was lost .* Nothing was written/,
  )
  expect(await account('k0')).toBeUndefined()
  expect(
    await own.db.selectFrom('member_group').selectAll().where('code', '=', 'g9').execute(),
  ).toEqual([])
})

test('organisations import in any order, move with their subtree, and form no cycles', async () => {
  const organizations = (content: string, settings: ImportSettings = listening()) =>
    runImport(own.url, settings, (run) =>
      importOrganizations(run, files.write('organizations.csv', content)),
    )
  const path = async (code: string) =>
    (
      await own.db
        .selectFrom('organization')
        .select('path')
        .where('code', '=', code)
        .executeTakeFirst()
    )?.path
  const content = 'code,name,parentCode\nA1,系,A\nA,学院,U\nU,大学,\nB,院,U\n'
  expect(await organizations(content)).toMatchObject({ added: 4 })
  expect(await path('A1')).toEqual(['U', 'A', 'A1'])
  expect(await organizations(content)).toMatchObject({ added: 0, changed: 0, unchanged: 4 })
  expect(await organizations('code,name,parentCode\nA,学院,B\n')).toMatchObject({ changed: 1 })
  expect(await path('A1')).toEqual(['U', 'B', 'A', 'A1'])
  const settings = listening()
  expect(
    await organizations('code,name,parentCode\nB,院,A1\nX,x,Y\nZ,z,X\n', settings),
  ).toMatchObject({ skipped: 3, changed: 0 })
  expect(settings.issues[0]).toMatch(/parentCode/)
  expect(await path('B')).toEqual(['U', 'B'])
})
