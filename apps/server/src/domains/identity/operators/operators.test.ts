import { permissions } from '@atrium/contract/define'
import { members, operators, roles } from '@atrium/contract/identity/operators.operator'
import { settings } from '@atrium/contract/shell/config.operator'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { hasAll } from '#platform/permissions.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { deleteGrants, insertGrants } from './queries.ts'

let app: TestApp
let admin: Caller
const idOf = async (username: string) =>
  (await findAccountByUsername(app.platform.db, username))?.id ?? ''

/** A caller with exactly these grants. */
async function operatorWith(
  username: 'teacher' | 'staff',
  granted: Parameters<typeof insertGrants>[2],
  organization?: string,
) {
  const { db, topics } = app.platform
  const id = await idOf(username)
  await db.deleteFrom('operator_grant').where('account_id', '=', id).execute()
  const place = organization
    ? await db
        .selectFrom('organization')
        .select('id')
        .where('code', '=', organization)
        .executeTakeFirstOrThrow()
    : null
  await insertGrants(db, id, granted, place?.id ?? null)
  await topics.flushed()
  return app.as(username)
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
})

test('own permissions are listed, whether global or limited to an organisation', async () => {
  expect((await admin(operators.own)).data).toEqual(permissions)
  const student = await app.as('student')
  expect((await student(operators.own)).data).toEqual([])
  const teacher = await operatorWith('teacher', ['content'], 'CS')
  expect((await teacher(operators.own)).data).toEqual(['content'])
  await operatorWith('teacher', [])
  expect((await app.visitor(operators.own)).status).toBe(401)
})

describe('granting is', () => {
  const of = (
    whole: (typeof permissions)[number][],
    inCs: (typeof permissions)[number][] = [],
  ) => ({
    permissions: whole,
    permissionsIn: Object.fromEntries(inCs.map((permission) => [permission, ['CS']])),
  })
  test.each([
    ['allowed for an own permission', of(['identity', 'content']), ['content'], null, true],
    ['denied for a missing permission', of(['identity']), ['content'], null, false],
    ['allowed for system by system', of(['system']), ['system'], null, true],
    ['denied for system without system', of(['identity', 'content']), ['system'], null, false],
    ['denied for system in a subtree', of(['system']), ['system'], ['U', 'CS'], false],
    ['allowed inside the own subtree', of([], ['content']), ['content'], ['U', 'CS', 'CS-1'], true],
    ['denied beside the own subtree', of([], ['content']), ['content'], ['U', 'EE'], false],
    ['denied above the own subtree', of([], ['content']), ['content'], ['U'], false],
    ['denied globally from a subtree', of([], ['content']), ['content'], null, false],
    ['denied for a role with more', of(['content']), ['content', 'services'], null, false],
  ] as const)('%s', (_, viewer, passed, path, may) => {
    expect(hasAll(viewer, passed, path)).toBe(may)
  })
})

describe('roles', () => {
  test('are listed, created, changed and removed, with immediate effect on holders', async () => {
    expect((await admin(roles.list)).data.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['administrator', 'editor', 'directory']),
    )
    const created = await admin(roles.create, {
      body: { code: 'press', name: '宣传', permissions: ['services'] },
    })
    expect(created).toMatchObject({
      status: 200,
      data: { builtIn: false, permissions: ['services'] },
    })
    expect(
      await admin(roles.create, {
        body: { code: 'press', name: '宣传', permissions: ['services'] },
      }),
    ).toMatchObject({ error: 'operator.role_taken' })

    const teacher = await operatorWith('teacher', [])
    expect((await teacher(roles.list)).status).toBe(403)
    const grant = await admin(operators.grant, { body: { username: 'Teacher', role: 'press' } })
    expect(grant).toMatchObject({ status: 200, data: { role: 'press', organization: null } })
    await admin(roles.update, {
      params: { id: created.data.id },
      body: { name: '宣传', permissions: ['services', 'identity'] },
    })
    expect((await teacher(roles.list)).status).toBe(200)
    await admin(roles.remove, { params: { id: created.data.id } })
    expect((await teacher(roles.list)).status).toBe(403)
  })

  test('are read-only if built in, and never exceed the permissions of their creator', async () => {
    const { data } = await admin(roles.list)
    const editor = data.find(({ code }) => code === 'editor')
    const params = { id: editor?.id ?? '' }
    const body = { name: '编辑', permissions: ['content', 'system'] }
    expect(await admin(roles.update, { params, body })).toMatchObject({
      error: 'operator.role_not_found',
    })
    expect(await admin(roles.remove, { params })).toMatchObject({
      error: 'operator.role_not_found',
    })
    const staff = await operatorWith('staff', ['system'])
    expect(
      await staff(roles.create, { body: { code: 'all', name: '全部', permissions: ['content'] } }),
    ).toMatchObject({ status: 403, error: 'operator.beyond_own' })
  })
})

describe('grants', () => {
  test('cannot exceed the permissions and organisation of the operator', async () => {
    const staff = await operatorWith('staff', ['identity', 'content'], 'CS')
    const give = (body: object) =>
      staff(operators.grant, { body: { username: 'teacher', ...body } })
    expect(await give({ permission: 'content', organization: 'CS' })).toMatchObject({
      status: 200,
      data: { organization: { code: 'CS' }, permissions: ['content'] },
    })
    expect(await give({ permission: 'content', organization: 'CS' })).toMatchObject({
      error: 'operator.granted_before',
    })
    for (const body of [
      { permission: 'content' },
      { permission: 'content', organization: 'EE' },
      { permission: 'services', organization: 'CS' },
      { permission: 'system', organization: 'CS' },
      { role: 'administrator', organization: 'CS' },
    ])
      expect(await give(body)).toMatchObject({ status: 403, error: 'operator.beyond_own' })
    for (const body of [
      { permission: 'content', organization: 'nowhere' },
      { role: 'nobody', organization: 'CS' },
      { organization: 'CS' },
      { role: 'editor', permission: 'content', organization: 'CS' },
      { permission: 'everything', organization: 'CS' },
    ])
      expect(await give(body)).toMatchObject({ status: 400, error: 'request.invalid' })
    const identity = await operatorWith('staff', ['identity'])
    expect(
      await identity(operators.grant, { body: { username: 'staff', permission: 'system' } }),
    ).toMatchObject({ error: 'operator.beyond_own' })
  })

  test('of another organisation are neither listed nor revoked', async () => {
    const staff = await operatorWith('staff', ['identity', 'content'], 'EE')
    const teacher = await idOf('teacher')
    const { db } = app.platform
    await db.deleteFrom('operator_grant').where('account_id', '=', teacher).execute()
    const given = await admin(operators.grant, {
      body: { username: 'teacher', permission: 'content', organization: 'CS' },
    })
    const { data } = await staff(operators.list)
    expect(data.map(({ organization }) => organization?.code)).toEqual(['EE', 'EE'])
    const params = { id: given.data.id }
    expect(await staff(operators.revoke, { params })).toMatchObject({
      status: 404,
      error: 'operator.grant_not_found',
    })
    expect((await admin(operators.revoke, { params })).status).toBe(200)
    expect(await admin(operators.revoke, { params })).toMatchObject({ status: 404 })
  })

  test('limited to an organisation give no access to global settings', async () => {
    const staff = await operatorWith('staff', ['system', 'content', 'identity'])
    expect((await staff(settings.list)).status).toBe(200)
    const part = await operatorWith('staff', ['content', 'identity'], 'CS')
    expect((await part(settings.list)).status).toBe(403)
    expect((await part(members.find, { query: { q: '林知夏' } })).status).toBe(200)
  })

  test('keep at least one system operator, even when revoked concurrently', async () => {
    const grantsOf = async (username: string) =>
      (await admin(operators.list)).data.filter(
        (grant) => grant.username === username && grant.permissions.includes('system'),
      )
    await operatorWith('staff', [])
    await operatorWith('teacher', [])
    const [own] = await grantsOf('admin')
    expect(await admin(operators.revoke, { params: { id: own?.id ?? '' } })).toMatchObject({
      status: 403,
      error: 'operator.last_system',
    })
    const staff = await operatorWith('staff', [...permissions])
    const [other] = await grantsOf('staff')
    const both = await Promise.all([
      admin(operators.revoke, { params: { id: own?.id ?? '' } }),
      staff(operators.revoke, { params: { id: other?.id ?? '' } }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    await insertGrants(app.platform.db, await idOf('admin'), ['system'])
    await deleteGrants(app.platform.db, await idOf('staff'), permissions)
    await app.platform.topics.flushed()
  })
})

describe('members', () => {
  test('are found by name or username in the own organisation, with masked numbers', async () => {
    const found = await admin(members.find, { query: { q: 'stud' } })
    expect(found.data).toMatchObject([
      { username: 'student', mobile: '138****0001', organization: { code: 'CS' } },
    ])
    expect((await admin(members.find, { query: { q: '林知夏' } })).data).toHaveLength(1)
    expect((await admin(members.find, { query: { q: '%%' } })).data).toEqual([])
    expect((await admin(members.find, { query: { q: 'x ' } })).status).toBe(400)
    const part = await operatorWith('staff', ['identity'], 'EE')
    expect((await part(members.find, { query: { q: 'student' } })).data).toEqual([])
    expect(
      (await (await app.as('student'))(members.find, { query: { q: 'student' } })).status,
    ).toBe(403)
  })
})
