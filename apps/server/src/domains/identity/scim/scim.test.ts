import { identity } from '@atrium/contract/identity/identity'
import { scimClients } from '@atrium/contract/identity/scim'
import { memberSessions } from '@atrium/contract/identity/sessions'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, demoPassword, idTokenOf, testApp } from '../../../../test/test-app.ts'
import { readFilter } from './filter.ts'
import { ScimError } from './scim-error.ts'
import { userFilter } from './user-filter.ts'

const { app, platform, as, tokenOf, visitor, withToken } = await testApp()
const { db } = platform
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
let admin: Caller
let token = ''
let otherToken = ''

const settings = {
  identities: { Teacher: 'T01' },
  identityElse: 'S01',
  organizationElse: 'JLU',
  takeOver: 'nobody',
}
async function newClient(name: string, more: object = {}) {
  const { data, raw } = await admin(scimClients.create, {
    body: { name, settings: { ...settings, ...more } },
  })
  expect(data, raw).toMatchObject({ name, hasToken: false, users: 0 })
  const created = await admin(scimClients.makeToken, { params: { id: data.id } })
  return { id: data.id, token: created.data.token }
}
let clientId = ''
beforeAll(async () => {
  admin = await as('admin')
  const [one, other] = [await newClient('entra'), await newClient('other')]
  clientId = one.id
  token = one.token
  otherToken = other.token
})

type Options = { body?: unknown; headers?: Record<string, string>; as?: string }
async function scim(method: string, path: string, options: Options = {}) {
  const response = await app.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${options.as ?? token}`,
      ...(options.body !== undefined && { 'content-type': 'application/scim+json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && {
      payload: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
    }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    // biome-ignore lint/suspicious/noExplicitAny: whatever the protocol has
    body: (response.body ? JSON.parse(response.body) : undefined) as any,
  }
}
const user = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  userName,
  externalId: `x-${userName}`,
  name: { familyName: '欧阳', givenName: '雪' },
  emails: [{ value: `${userName}@example.edu`, type: 'work', primary: true }],
  phoneNumbers: [{ value: '138 0000 1234', type: 'mobile' }],
  [enterprise]: { department: 'CS' },
  ...more,
})
const create = (userName: string, more: object = {}) =>
  scim('POST', '/Users', { body: user(userName, more) })
const patch = (path: string, ...Operations: object[]) =>
  scim('PATCH', path, { body: { schemas: [patchOp], Operations } })
const search = (filter: string, more = '') =>
  scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)
const account = (username: string) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.id',
      'account.status',
      'account.person_id',
      'account.identity_type_code as identity',
      'organization.code as organization',
      'person.name',
      'person.email',
      'person.mobile',
      'person.password_hash as hash',
    ])
    .where('username', '=', username)
    .executeTakeFirst()

describe('tokens', () => {
  test('are created by operators only, and never exposed in lists, storage or logs', async () => {
    for (const caller of [visitor, await as('student')])
      expect(
        (await caller(scimClients.makeToken, { params: { id: clientId } })).status,
      ).toBeGreaterThanOrEqual(401)
    const listed = await admin(scimClients.list)
    const stored = await db.selectFrom('scim_client').selectAll().execute()
    const logged = await db.selectFrom('audit_entry').selectAll().execute()
    for (const text of [listed.raw, JSON.stringify(stored), JSON.stringify(logged)])
      expect(text).not.toContain(token)
    expect(JSON.stringify(logged)).toContain('POST /console-api/v1/scim-clients/{id}/token')
  })

  test.each([
    ['no token', undefined],
    ['an unknown token', 'Bearer scim_0000000000000000000000000000000000000000000'],
    ['a member’s id token', 'member'],
    ['another scheme', 'Basic YTpi'],
    ['a malformed token', "Bearer ' or 1=1 --"],
  ])('a request with %s gets 401 before its body is read', async (_, header) => {
    const authorization =
      header === 'member'
        ? `Bearer ${idTokenOf((await visitor(identity.passwordLogin, { body: { username: 'student', password: demoPassword } })).data)}`
        : header
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.inject({
        method,
        url: '/scim/v2/Users',
        headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
        ...(method === 'POST' && { payload: '{broken' }),
      })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toContain('Bearer')
      expect(response.json()).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
      })
    }
  })

  test('are rejected once replaced or revoked', async () => {
    const client = await newClient('short')
    const ask = (as: string) => scim('GET', '/Users', { as })
    expect((await ask(client.token)).status).toBe(200)
    const { data } = await admin(scimClients.makeToken, { params: { id: client.id } })
    expect((await ask(client.token)).status).toBe(401)
    expect((await ask(data.token)).status).toBe(200)
    await admin(scimClients.revokeToken, { params: { id: client.id } })
    expect((await ask(data.token)).status).toBe(401)
    expect((await admin(scimClients.remove, { params: { id: client.id } })).status).toBe(200)
    expect((await admin(scimClients.remove, { params: { id: client.id } })).error).toBe(
      'scim.client_not_found',
    )
  })
})

test('the discovery endpoints describe the supported features', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
    bulk: { supported: false },
  })
  const types = await scim('GET', '/ResourceTypes')
  expect(types.body.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
  expect((await scim('GET', '/ResourceTypes/User')).body.schemaExtensions).toEqual([
    { schema: enterprise, required: false },
  ])
  const schemas = await scim('GET', '/Schemas')
  expect(schemas.body.totalResults).toBe(3)
  const one = await scim('GET', `/Schemas/${enterprise}`)
  expect(one.body).toMatchObject({ id: enterprise, name: 'EnterpriseUser' })
  expect(one.headers['content-type']).toContain('application/scim+json')
  expect((await scim('GET', '/Schemas/nothing')).status).toBe(404)
  expect((await scim('GET', '/Nothing')).body).toMatchObject({ status: '404' })
})

describe('a user', () => {
  test('becomes an inactive member and is returned as it was pushed', async () => {
    const created = await create('Ouyang', {
      title: 'Dr',
      userType: 'Teacher',
      password: 'a password',
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect(created.headers.location).toMatch(/\/scim\/v2\/Users\/\d+$/)
    expect(created.headers.etag).toBe(created.body.meta.version)
    expect(await account('ouyang')).toMatchObject({
      id: created.body.id,
      status: 'inactive',
      name: '欧阳雪',
      email: 'Ouyang@example.edu',
      mobile: '13800001234',
      identity: 'T01',
      organization: 'CS',
      hash: null,
    })
    const read = await scim('GET', `/Users/${created.body.id}`)
    expect(read.body).toEqual(created.body)
    expect(read.body).toMatchObject({
      userName: 'ouyang',
      externalId: 'x-Ouyang',
      active: true,
      title: 'Dr',
      [enterprise]: { department: 'CS' },
    })
    expect(JSON.stringify(read.body)).not.toContain('a password')
    const unchanged = await scim('GET', `/Users/${created.body.id}`, {
      headers: { 'if-none-match': String(read.headers.etag) },
    })
    expect(unchanged.status).toBe(304)
  })

  test.each([
    ['with a taken name', { userName: 'ouyang' }, 409, 'uniqueness'],
    ['with the name of an operator', { userName: 'admin' }, 409, 'uniqueness'],
    ['without a name', { userName: undefined }, 400, 'invalidValue'],
    ['with an invalid name', { userName: 'a b' }, 400, 'invalidValue'],
    ['with a name that is not a string', { userName: 5 }, 400, 'invalidValue'],
    ['with a NUL character', { displayName: 'a\u0000' }, 400, 'invalidValue'],
    ['with an invalid mail address', { emails: [{ value: 'x' }] }, 400, 'invalidValue'],
    ['with mail addresses that are not a list', { emails: 'x' }, 400, 'invalidValue'],
    ['with an oversized title', { title: 'x'.repeat(70_000) }, 413, undefined],
  ])('%s is rejected', async (_, more, status, scimType) => {
    const answer = await create('refused', more)
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
    })
    expect(answer.body.scimType).toBe(scimType)
    expect(await account('refused')).toBeUndefined()
  })

  test.each([
    ['broken JSON', '{', 400],
    ['a list', '[]', 400],
    ['a string', '"x"', 400],
    ['null', 'null', 400],
    ['two megabytes', JSON.stringify({ userName: 'x'.repeat(2_100_000) }), 413],
  ])('sent as %s is rejected', async (_, body, status) => {
    expect((await scim('POST', '/Users', { body })).status).toBe(status)
  })

  test.each([
    'Alice_contoso.com#EXT#@tenant.onmicrosoft.com',
    "o'brien@example.edu",
    'mary+thesis@example.edu',
    `${'guest_of-a-partner.example'.padEnd(80, 'x')}#EXT#@${'t'.repeat(20)}.onmicrosoft.com`,
  ])('can be named %s, found by that name, and sign in', async (userName) => {
    const created = await create(userName, { active: true, emails: [] })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const username = userName.toLowerCase()
    const found = await search(`userName eq ${JSON.stringify(userName)}`)
    expect(found.body.Resources.map(({ id }: { id: string }) => id)).toEqual([created.body.id])
    await db
      .updateTable('account')
      .set({ status: 'active' })
      .where('id', '=', created.body.id)
      .execute()
    await db
      .updateTable('person')
      .set(({ selectFrom }) => ({
        password_hash: selectFrom('account as other')
          .innerJoin('person as model', 'model.id', 'other.person_id')
          .select('model.password_hash')
          .where('other.username', '=', 'student'),
      }))
      .where('id', '=', (await account(username))?.person_id ?? '')
      .execute()
    const signedIn = await visitor(identity.passwordLogin, {
      body: { username: userName, password: demoPassword },
    })
    expect(signedIn).toMatchObject({ status: 200 })
    expect(decodeJwt(idTokenOf(signedIn.data)).sub).toBe(username)
    const sessions = await admin(memberSessions.list, { query: { username } })
    expect(sessions.status).toBe(200)
    // Cleaned up, because filter tests count all users.
    expect((await scim('DELETE', `/Users/${created.body.id}`)).status).toBe(204)
  })

  test('is replaced by PUT and partly updated by PATCH', async () => {
    const { body } = await create('part')
    const path = `/Users/${body.id}`
    const replaced = await scim('PUT', path, {
      body: { ...user('part'), id: body.id, displayName: 'Whole', phoneNumbers: undefined },
    })
    expect(replaced.body).toMatchObject({ displayName: 'Whole' })
    expect(replaced.body.phoneNumbers).toBeUndefined()
    expect(await account('part')).toMatchObject({ name: 'Whole', mobile: '' })
    expect((await scim('PUT', path, { body: { ...user('part'), id: '1' } })).body.scimType).toBe(
      'mutability',
    )

    const patched = await patch(
      path,
      { op: 'Replace', path: 'displayName', value: 'Part' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@example.edu' },
      { op: 'add', path: `${enterprise}:department`, value: 'MA' },
      { op: 'Replace', value: { 'name.familyName': '司马', userType: 'Teacher' } },
    )
    expect(patched.status, JSON.stringify(patched.body)).toBe(200)
    expect(await account('part')).toMatchObject({
      name: 'Part',
      email: 'new@example.edu',
      organization: 'MA',
      identity: 'T01',
    })
    expect((await patch(path, { op: 'replace', path: 'userName', value: 'part2' })).status).toBe(
      200,
    )
    expect((await account('part2'))?.id).toBe(body.id)
    expect(
      (await patch(path, { op: 'replace', path: 'userName', value: 'admin' })).body,
    ).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  test.each([
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'nothing', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__.polluted', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'x'.repeat(201), value: '1' }, 'invalidPath'],
    [{ op: 'test', path: 'userName', value: '1' }, 'invalidSyntax'],
    [{ op: 'add', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
  ])('rejects the patch %j', async (operation, scimType) => {
    const { body } = await search('userName eq "ouyang"')
    const answer = await patch(`/Users/${body.Resources[0].id}`, operation)
    expect(answer.status, JSON.stringify(answer.body)).toBe(400)
    expect(answer.body.scimType).toBe(scimType)
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  test('keeps a contact changed by the member until the client sends a different one', async () => {
    const { body } = await create('contact')
    await db
      .updateTable('person')
      .set({ email: 'own@example.org', email_verified_at: sql`now()` })
      .where('id', '=', (await account('contact'))?.person_id as string)
      .execute()
    await patch(`/Users/${body.id}`, { op: 'replace', path: 'title', value: 'Prof' })
    expect(await account('contact')).toMatchObject({ email: 'own@example.org' })
    await patch(`/Users/${body.id}`, {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: 'later@example.edu',
    })
    expect(await account('contact')).toMatchObject({ email: 'later@example.edu' })
  })

  test('immediately has a new name in the other account of the person too', async () => {
    const { body } = await create('renamed')
    const person = (await account('renamed'))?.person_id as string
    const { hash } = (await account('student')) as { hash: string }
    await db.updateTable('person').set({ password_hash: hash }).where('id', '=', person).execute()
    await db
      .insertInto('account')
      .columns(['username', 'person_id', 'organization_id', 'identity_type_code', 'status'])
      .expression((created) =>
        created
          .selectFrom('account')
          .select([
            sql.lit('renamed-too').as('username'),
            'person_id',
            'organization_id',
            'identity_type_code',
            sql.lit('active').as('status'),
          ])
          .where('id', '=', body.id),
      )
      .execute()
    const token = await tokenOf('renamed-too')
    const there = () => platform.guard.viewerOf(token)
    expect(await there()).toHaveProperty('name', '欧阳雪')
    await patch(`/Users/${body.id}`, { op: 'replace', path: 'displayName', value: '欧阳霜' })
    await platform.topics.flushed()
    expect(await there()).toHaveProperty('name', '欧阳霜')
  })

  test('is signed out when deactivated, and can sign in once active again', async () => {
    const { body } = await create('leaves')
    const path = `/Users/${body.id}`
    const { hash } = (await account('student')) as { hash: string }
    const person = (await account('leaves'))?.person_id as string
    await db.updateTable('person').set({ password_hash: hash }).where('id', '=', person).execute()
    await db.updateTable('account').set({ status: 'active' }).where('id', '=', body.id).execute()
    const signIn = () =>
      visitor(identity.passwordLogin, { body: { username: 'leaves', password: demoPassword } })
    const { personal } = await import('@atrium/contract/member/personal')
    const member = withToken(idTokenOf((await signIn()).data))
    expect((await member(personal.me)).status).toBe(200)
    expect((await patch(path, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    )
    await platform.topics.flushed()
    expect((await member(personal.me)).status).toBe(401)
    expect((await signIn()).error).toBe('login.refused')
    expect((await patch(path, { op: 'replace', value: { active: true } })).body.active).toBe(true)
    await db.deleteFrom('login_throttle').execute()
    expect((await signIn()).status).toBe(200)
    // Disabled by an operator.
    await db.updateTable('account').set({ status: 'disabled' }).where('id', '=', body.id).execute()
    expect((await patch(path, { op: 'replace', path: 'active', value: true })).body.active).toBe(
      false,
    )
  })

  test('is signed out of services when deactivated; the person’s other account is not', async () => {
    const { body } = await create('two-accounts')
    const student = await account('student')
    const session = { kind: 'central', expires_at: sql<string>`now() + interval '1 day'` }
    await db
      .updateTable('account')
      .set({ status: 'active', person_id: student?.person_id as string })
      .where('id', '=', body.id)
      .execute()
    const party = await db
      .insertInto('relying_party')
      .values({ code: 'used' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [key, account_id] of [
      ['of the one', body.id],
      ['of the other', String(student?.id)],
    ]) {
      const { id } = await db
        .insertInto('session')
        .values({ ...session, account_id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const used = { session_id: id, relying_party_id: party.id, protocol: 'cas', sealed_key: key }
      await db.insertInto('relying_party_session').values(used).execute()
    }
    await patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false })
    const notices = await db.selectFrom('logout_notice').select('sealed_key').execute()
    expect(notices).toEqual([{ sealed_key: 'of the one' }])
  })

  test('is disabled and hidden when deleted, and restored when pushed again', async () => {
    const { body } = await create('comes-back')
    const path = `/Users/${body.id}`
    expect(await scim('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await account('comes-back')).toMatchObject({ id: body.id, status: 'disabled' })
    for (const method of ['GET', 'DELETE'] as const)
      expect((await scim(method, path)).status).toBe(404)
    expect((await scim('PUT', path, { body: user('comes-back') })).status).toBe(404)
    expect((await search('userName eq "comes-back"')).body.totalResults).toBe(0)
    // The same name with another external id is a different person.
    expect((await create('comes-back', { externalId: 'another' })).status).toBe(409)
    const recreated = await create('comes-back')
    expect(recreated).toMatchObject({ status: 201, body: { id: body.id, active: true } })
    expect(await account('comes-back')).toMatchObject({ status: 'inactive' })
  })

  test('is changed only if If-Match matches its version', async () => {
    const { body, headers } = await create('version')
    const path = `/Users/${body.id}`
    const change = (version: string, displayName: string) =>
      scim('PUT', path, {
        body: { ...user('version'), displayName },
        headers: { 'if-match': version },
      })
    const [one, two] = await Promise.all([
      change(String(headers.etag), 'One'),
      change(String(headers.etag), 'Two'),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 412])
    expect((await scim('DELETE', path, { headers: { 'if-match': 'W/"no"' } })).status).toBe(412)
    expect((await scim('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204)
  })

  test('of another client, or of none, is not found', async () => {
    const { body } = await create('mine')
    const { id: student } = (await account('student')) as { id: string }
    for (const id of [body.id, student, '0', '999999999999999999', 'x', "1'--"])
      for (const [method, content] of [
        ['GET', undefined],
        ['PUT', user('stolen')],
        [
          'PATCH',
          { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] },
        ],
        ['DELETE', undefined],
      ] as const)
        expect(
          await scim(method, `/Users/${encodeURIComponent(id)}`, { as: otherToken, body: content }),
          `${method} ${id}`,
        ).toMatchObject({ status: 404 })
    expect(await account('mine')).toMatchObject({ id: body.id })
    expect(await account('student')).toMatchObject({ status: 'active' })
    expect((await scim('GET', '/Users', { as: otherToken })).body.totalResults).toBe(0)
  })

  test('can take over an existing member if allowed, but never an operator', async () => {
    const taking = await newClient('taking', { takeOver: 'members' })
    const post = (userName: string) =>
      scim('POST', '/Users', { as: taking.token, body: user(userName) })
    const before = await account('teacher')
    expect(await post('teacher')).toMatchObject({ status: 201, body: { id: before?.id } })
    expect(await account('teacher')).toMatchObject({ status: 'active', hash: before?.hash })
    expect((await post('admin')).status).toBe(409)
    expect((await post('ouyang')).status).toBe(409)
  })
})

describe('a list of users', () => {
  beforeAll(async () => {
    for (const [at, name] of ['fa', 'fb', 'fc', 'fd', 'fe'].entries())
      await create(name, { displayName: `Filter ${at}`, active: name !== 'fe' })
  })

  test.each([
    ['userName eq "fa"', ['fa']],
    ['USERNAME EQ "FA"', ['fa']],
    ['externalId eq "x-fb"', ['fb']],
    ['externalId eq "X-FB"', []],
    ['displayName sw "Filter" and active eq true', ['fa', 'fb', 'fc', 'fd']],
    ['displayName co "ilter" and active eq false', ['fe']],
    ['displayName ew "2"', ['fc']],
    ['userName eq "fa" or userName eq "fb" and active eq false', ['fa']],
    ['(userName eq "fa" or userName eq "fb") and not (externalId eq "x-fa")', ['fb']],
    ['emails.value eq "fd@example.edu"', ['fd']],
    [`${enterprise}:department eq "CS" and userName sw "f"`, ['fa', 'fb', 'fc', 'fd', 'fe']],
    ['userName sw "f" and userType pr', []],
    ['userName sw "f" and meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    ['userName eq "%"', []],
    ['userName co "_"', []],
    ['userName eq "a\\"b"', []],
    ['userName eq "\\u0000"', []],
    ['userName eq "\' or 1=1 --"', []],
  ])('is filtered by %s', async (filter, found) => {
    const { body, status } = await search(filter)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(found)
    expect(body.totalResults).toBe(found.length)
  })

  test.each([
    '',
    '(',
    ')',
    '((((',
    'userName',
    'userName eq',
    'userName eq "x" or',
    'userName eq "x" userName',
    'password eq "x"',
    'title pr',
    '__proto__ eq "x"',
    'constructor pr',
    'userName gt "x"',
    'active co "t"',
    'active eq "perhaps"',
    'userName eq 5',
    'meta.created gt "yesterday"',
    'not userName eq "x"',
    'userName eq "x',
    'userName eq "\\x"',
    `${'('.repeat(30)}userName eq "x"${')'.repeat(30)}`,
    Array(60).fill('id eq "1"').join(' or '),
    `userName eq "${'x'.repeat(1000)}"`,
  ])('rejects the filter %s', async (filter) => {
    expect(await search(filter)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter', status: '400' },
    })
  })

  test.each([
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "path.one"', 1],
    ['URN:IETF:params:scim:schemas:core:2.0:user:USERNAME sw "path."', 2],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName eq "欧阳" and userName sw "path."',
      2,
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "home"]', 1],
    ['emails[type eq "work" and value co "@path"]', 1],
    // a single element must satisfy the whole condition
    ['emails[type eq "work" and value co "@home"]', 0],
    [
      'emails[(type eq "home" or type eq "work") and not (primary eq true)] and userName sw "path."',
      1,
    ],
    ['phoneNumbers[type eq "mobile"] and userName sw "path."', 2],
    ['emails[value pr] and meta.resourceType eq "User" and userName sw "path."', 2],
  ])('is filtered by URN and value path: %s', async (filter, found) => {
    await create('path.one', {
      emails: [
        { value: 'one@path.example', type: 'work', primary: true },
        { value: 'one@home.example', type: 'home' },
      ],
    })
    await create('path.two')
    const { body, status } = await search(filter)
    expect({ filter, status, found: body.totalResults }).toEqual({ filter, status: 200, found })
  })

  test.each([
    'emails[type eq "work"',
    'emails[]',
    'emails[emails[type eq "a"]]',
    'emails[userName eq "a"]',
    'emails[type eq "work"].value eq "a"',
    'userName[value eq "a"]',
    'emails]',
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "a"',
    'urn:ietf:params:scim:schemas:core:2.0:User: eq "a"',
    'constructor[value eq "a"]',
  ])('rejects the path %s', async (filter) => {
    expect(await search(filter)).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
  })

  test('parses any filter or rejects it with a ScimError', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'userName',
        'active',
        'and',
        'or',
        'not',
        'eq',
        'pr',
        '(',
        ')',
        '"x"',
        'true',
        '[',
        ']',
        '\\',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        try {
          readFilter(parts.join(' '), userFilter)
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is paged without duplicates and returns the requested attributes', async () => {
    const filter = encodeURIComponent('displayName sw "Filter"')
    const page = (rest: string) => scim('GET', `/Users?filter=${filter}&${rest}`)
    const names: string[] = []
    for (const startIndex of [1, 3, 5]) {
      const { body } = await page(`startIndex=${startIndex}&count=2`)
      expect(body).toMatchObject({ totalResults: 5, startIndex })
      names.push(...body.Resources.map((one: { userName: string }) => one.userName))
    }
    expect(names).toEqual(['fa', 'fb', 'fc', 'fd', 'fe'])
    expect((await page('startIndex=-3&count=0')).body).toMatchObject({
      totalResults: 5,
      startIndex: 1,
      Resources: [],
    })
    expect((await page('startIndex=9')).body).toMatchObject({ totalResults: 5, Resources: [] })
    expect((await page('count=x')).body.itemsPerPage).toBe(5)
    const { body } = await page('attributes=userName&count=1')
    expect(Object.keys(body.Resources[0]).sort()).toEqual(['id', 'meta', 'schemas', 'userName'])
    const without = await page('excludedAttributes=emails,name&count=1')
    expect(without.body.Resources[0]).not.toHaveProperty('emails')
  })
})

describe('a group', () => {
  const members = async (...names: string[]) =>
    Promise.all(names.map(async (name) => ({ value: (await account(name))?.id })))
  const groupsOf = async (username: string) =>
    (
      await db
        .selectFrom('group_member')
        .innerJoin('member_group', 'member_group.id', 'group_id')
        .innerJoin('account', 'account.id', 'account_id')
        .select('code')
        .where('username', '=', username)
        .orderBy('code')
        .execute()
    ).map(({ code }) => code)
  const newGroup = (displayName: string, more: object = {}) =>
    scim('POST', '/Groups', { body: { displayName, ...more } })

  beforeAll(async () => {
    for (const name of ['ga', 'gb', 'gc']) await create(name)
  })

  test('becomes a member group with a unique code and its members', async () => {
    const created = await newGroup('Chess club', { members: await members('ga', 'gb') })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect(created.body.members).toMatchObject([{ display: 'ga' }, { display: 'gb' }])
    expect(await groupsOf('ga')).toEqual(['Chess-club'])
    const { body } = await search('userName eq "ga"')
    expect(body.Resources[0].groups).toEqual([{ value: created.body.id, display: 'Chess club' }])
    // A second group with this name gets its own code.
    const second = await newGroup('Chess club')
    expect(
      await db.selectFrom('member_group').select('code').where('id', '=', second.body.id).execute(),
    ).toEqual([{ code: 'Chess-club-2' }])
    expect(
      (await scim('GET', `/Groups/${created.body.id}?excludedAttributes=members`)).body,
    ).not.toHaveProperty('members')
  })

  test('accepts the forms of patches that clients send', async () => {
    const { body } = await newGroup('Patched')
    const path = `/Groups/${body.id}`
    const [a, b, c] = await members('ga', 'gb', 'gc')
    const names = async () =>
      ((await scim('GET', path)).body.members ?? []).map((one: { display: string }) => one.display)
    await patch(path, { op: 'add', path: 'members', value: [a, b] })
    expect(await names()).toEqual(['ga', 'gb'])
    await patch(
      path,
      { op: 'Add', value: { members: [c] } },
      { op: 'remove', path: `members[value eq "${a?.value}"]` },
    )
    expect(await names()).toEqual(['gb', 'gc'])
    await patch(path, { op: 'Remove', path: 'members', value: [b] })
    expect(await names()).toEqual(['gc'])
    await patch(path, { op: 'replace', path: 'members', value: [a] })
    expect(await names()).toEqual(['ga'])
    await patch(path, {
      op: 'replace',
      value: { id: body.id, displayName: 'Renamed', externalId: 'e1' },
    })
    expect((await scim('GET', path)).body).toMatchObject({
      displayName: 'Renamed',
      externalId: 'e1',
    })
    await patch(path, { op: 'remove', path: 'members' })
    expect(await names()).toEqual([])
    for (const [filter, total] of [
      ['displayName eq "Renamed"', 1],
      ['externalId eq "e1"', 1],
      [`id eq "${body.id}" and members eq "${a?.value}"`, 0],
      ['displayName eq "nothing"', 0],
    ] as const)
      expect(
        (await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body.totalResults,
        filter,
      ).toBe(total)
  })

  test('rejects members the client does not own, and rolls a rejected change back', async () => {
    const { body } = await newGroup('Strict', { members: await members('ga') })
    const path = `/Groups/${body.id}`
    const { id: student } = (await account('student')) as { id: string }
    for (const value of [
      [{ value: student }],
      [{ value: '0' }],
      [{ value: 'x' }],
      [{}],
      'x',
      [null],
      5,
    ]) {
      const answer = await patch(
        path,
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value },
      )
      expect(answer.body, JSON.stringify(value)).toMatchObject({
        status: '400',
        scimType: 'invalidValue',
      })
    }
    expect((await scim('GET', path)).body.members).toHaveLength(1)
    expect(await groupsOf('student')).not.toContain('Strict')
    for (const bad of [
      {},
      { displayName: '' },
      { displayName: 5 },
      { displayName: 'x'.repeat(101) },
    ])
      expect((await scim('POST', '/Groups', { body: bad })).status).toBe(400)
    expect((await patch(path, { op: 'replace', path: 'owners', value: 'x' })).body.scimType).toBe(
      'invalidPath',
    )
    for (const method of ['GET', 'DELETE'] as const)
      expect((await scim(method, path, { as: otherToken })).status).toBe(404)
  })

  test('loses its members when deleted, but keeps its code for audiences', async () => {
    const { body } = await newGroup('Ends', { members: await members('gb') })
    expect((await scim('DELETE', `/Groups/${body.id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${body.id}`)).status).toBe(404)
    expect(await groupsOf('gb')).not.toContain('Ends')
    expect(
      await db.selectFrom('member_group').select('code').where('code', '=', 'Ends').execute(),
    ).toHaveLength(1)
  })
})

test('client settings with unknown codes are rejected', async () => {
  const answer = await admin(scimClients.create, {
    body: {
      name: 'x',
      settings: {
        ...settings,
        identities: { a: 'NO' },
        identityElse: 'NO',
        organizationElse: 'NO',
      },
    },
  })
  expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
  expect(Object.keys(answer.fields ?? {}).sort()).toEqual([
    'settings.identities',
    'settings.identityElse',
    'settings.organizationElse',
  ])
})

test('an operator cannot manage a client that controls a member with more permissions', async () => {
  const staff = await as('staff')
  const { id: staffId } = (await account('staff')) as { id: string }
  const { id } = (await account('ouyang')) as { id: string }
  await db
    .insertInto('operator_grant')
    .values([
      { account_id: staffId, permission: 'identity' },
      { account_id: id, permission: 'system' },
    ])
    .execute()
  const { invalidate } = await import('#platform/database/topics.ts')
  await db.transaction().execute((tx) => invalidate(tx, 'directory'))
  await platform.topics.flushed()
  expect((await staff(scimClients.list)).status).toBe(200)
  expect(await staff(scimClients.makeToken, { params: { id: clientId } })).toMatchObject({
    status: 403,
    error: 'operator.member_may_more',
  })
  expect((await scim('GET', '/Users')).status).toBe(200)
})

describe('other SCIM endpoints', () => {
  const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
  const post = (path: string, body: object) =>
    scim('POST', path, { body: { schemas: [searchRequest], ...body } })

  test('accept a search by POST for one resource type or all', async () => {
    await create('sought.one')
    await scim('POST', '/Groups', {
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'sought.group',
      },
    })
    const users = await post('/Users/.search', {
      filter: 'userName eq "sought.one"',
      attributes: ['userName'],
    })
    expect(users).toMatchObject({
      status: 200,
      body: { totalResults: 1, startIndex: 1, Resources: [{ userName: 'sought.one' }] },
    })
    expect(users.body.Resources[0].emails).toBeUndefined()
    const groups = await post('/Groups/.search', { filter: 'displayName sw "sought."' })
    expect(groups.body).toMatchObject({
      totalResults: 1,
      Resources: [{ displayName: 'sought.group' }],
    })
    // An attribute of one type matches no resource of the other.
    const all = await post('/.search', { filter: 'userName eq "sought.one" or displayName eq "x"' })
    expect(all.body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'sought.one' }] })
    const both = await post('/.search', { filter: 'id pr', count: 1 })
    expect(both.body).toMatchObject({ itemsPerPage: 1, startIndex: 1 })
    const last = await post('/.search', {
      filter: 'id pr',
      startIndex: both.body.totalResults,
      count: 5,
    })
    expect(last.body).toMatchObject({ itemsPerPage: 1, totalResults: both.body.totalResults })
    expect(last.body.Resources[0].displayName).toBeTruthy()
    expect(last.body.Resources[0].meta.resourceType).toBe('Group')
  })

  test.each<[string, object]>([
    ['another message schema', { schemas: [patchOp] }],
    ['a filter that is not a string', { filter: 7 }],
    ['an invalid filter', { filter: 'nothing eq "a"' }],
    ['attributes that are not a list', { attributes: 'userName' }],
  ])('reject a search with %s', async (_, body) => {
    for (const path of ['/.search', '/Users/.search'])
      expect(await post(path, body)).toMatchObject({ status: 400, body: { status: '400' } })
  })

  test.each([
    ['GET', '/Me'],
    ['PATCH', '/Me'],
    ['POST', '/Bulk'],
  ])('answer %s %s with a SCIM error and status 501', async (method, path) => {
    const options = method === 'GET' ? {} : { body: { schemas: [] } }
    expect(await scim(method, path, options)).toMatchObject({
      status: 501,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '501' },
    })
    expect((await scim(method, path, { ...options, as: 'x'.repeat(40) })).status).toBe(401)
  })
})
