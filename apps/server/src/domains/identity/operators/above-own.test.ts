import { endpoints } from '@atrium/contract'
import type { Endpoint, Permission } from '@atrium/contract/define'
import { identityProviders } from '@atrium/contract/identity/federation'
import { operators } from '@atrium/contract/identity/operators.operator'
import { factorReset } from '@atrium/contract/identity/second-factor'
import { memberSessions } from '@atrium/contract/identity/sessions'
import { correctionRequests } from '@atrium/contract/member/corrections'
import { closings } from '@atrium/contract/member/privacy'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { type Caller, declared, type TestApp, testApp } from '../../../../test/test-app.ts'
import { insertGrants } from './queries.ts'

let app: TestApp
let admin: Caller
let operator: Caller
const accountOf = async (username: string) => {
  const account = await findAccountByUsername(app.platform.db, username)
  if (!account) throw new Error(`${username} is not there`)
  return account
}

async function setGrants(username: string, granted: readonly Permission[], code?: string) {
  const { db, topics } = app.platform
  const { id } = await accountOf(username)
  await db.deleteFrom('operator_grant').where('account_id', '=', id).execute()
  const place = code
    ? await db
        .selectFrom('organization')
        .select('id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
    : null
  await insertGrants(db, id, granted, place?.id ?? null)
  await topics.flushed()
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  operator = await app.as('teacher')
})
beforeEach(async () => {
  await setGrants('student', [])
  await setGrants('teacher', ['identity'], 'CS')
})
afterAll(async () => {
  await setGrants('student', [])
  await setGrants('teacher', [])
})

const sessionOfStudent = async () => {
  await app.tokenOf('student')
  const [first] = (await admin(memberSessions.list, { query: { username: 'student' } })).data
  return { id: first?.id ?? '' }
}
async function grantOfStudent() {
  const created = await admin(operators.grant, {
    body: { username: 'student', permission: 'identity', organization: 'CS' },
  })
  return { id: created.data.id }
}
/** A pending request, made before its member became an operator. */
async function closingOfStudent() {
  const { db } = app.platform
  const { id, personId } = await accountOf('student')
  await db.deleteFrom('account_closing').where('person_id', '=', personId).execute()
  const created = await db
    .insertInto('account_closing')
    .values({ person_id: personId, account_id: id, due_at: '2100-01-01' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: created.id }
}

async function correctionOfStudent() {
  const { id } = await accountOf('student')
  const created = await app.platform.db
    .insertInto('correction')
    .values({ account_id: id, field: 'nameEn', value: 'Lin', note: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: created.id }
}

const body = { username: 'student' }
const acts: [string, Endpoint, () => Promise<object>][] = [
  ['ends a session of', memberSessions.remove, async () => ({ params: await sessionOfStudent() })],
  ['ends all sessions of', memberSessions.removeAll, async () => ({ body })],
  ['resets the second factors of', factorReset.reset, async () => ({ params: body })],
  ['revokes a grant of', operators.revoke, async () => ({ params: await grantOfStudent() })],
  [
    'rejects the account closing of',
    closings.refuse,
    async () => ({ params: await closingOfStudent(), body: { answer: '在读' } }),
  ],
  [
    'answers a correction request of',
    correctionRequests.answer,
    async () => ({ params: await correctionOfStudent(), body: { done: true, answer: '已更正' } }),
  ],
]

describe.each(acts)('an operator who %s a member', (_, endpoint, input) => {
  test.each<[string, () => Promise<void>]>([
    ['has the same permission everywhere', () => setGrants('student', ['identity'])],
    ['has another permission', () => setGrants('student', ['content'], 'CS')],
    ['has the system permission', () => setGrants('student', ['system'])],
    [
      'has a permission with another account',
      async () => {
        const { db } = app.platform
        const second = await db
          .insertInto('account')
          .columns(['username', 'person_id', 'organization_id', 'identity_type_code', 'status'])
          .expression((from) =>
            from
              .selectFrom('account')
              .select(({ val }) => [
                val('second-account').as('username'),
                'person_id',
                'organization_id',
                'identity_type_code',
                'status',
              ])
              .where('username', '=', 'student'),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
        await insertGrants(db, second.id, ['services'])
      },
    ],
  ])('is rejected if the member %s', async (_, more) => {
    await more()
    expect(await operator(endpoint, await input())).toMatchObject({
      status: 403,
      error: 'operator.member_may_more',
    })
    await app.platform.db.deleteFrom('account').where('username', '=', 'second-account').execute()
    await setGrants('student', [])
  })

  test('succeeds if the operator has all permissions of the member', async () => {
    await setGrants('teacher', ['identity', 'content'], 'CS')
    await setGrants('student', ['content'], 'CS')
    expect((await operator(endpoint, await input())).status).toBe(200)
  })
})

test('the sessions of a member with more permissions are still listed', async () => {
  await setGrants('student', ['system'])
  const listed = await operator(memberSessions.list, { query: { username: 'student' } })
  expect(listed.status).toBe(200)
})

describe('an external identity provider', () => {
  const settings = { issuer: 'https://login.example', clientId: 'a', clientSecret: undefined }
  const written = (more: object) => ({
    code: `own-${Math.random().toString(36).slice(2, 10)}`,
    kind: 'openid',
    name: 'Mine',
    secret: 'a secret of theirs',
    settings: { ...settings, ...more },
  })

  test('with username matching is set only by an operator with all permissions', async () => {
    await setGrants('teacher', ['identity'])
    const believed = written({ matchUsername: true })
    expect(await operator(identityProviders.create, { body: believed })).toMatchObject({
      status: 403,
      error: 'operator.beyond_own',
    })
    const created = await operator(identityProviders.create, { body: written({}) })
    expect(created.status).toBe(200)
    const params = { id: created.data.id }
    expect(
      await operator(identityProviders.update, {
        params,
        body: declared(identityProviders.update, believed),
      }),
    ).toMatchObject({
      error: 'operator.beyond_own',
    })
    expect(
      (
        await admin(identityProviders.update, {
          params,
          body: declared(identityProviders.update, believed),
        })
      ).status,
    ).toBe(200)
    expect(
      await operator(identityProviders.update, {
        params,
        body: declared(identityProviders.update, written({})),
      }),
    ).toMatchObject({
      error: 'operator.beyond_own',
    })
  })

  test('is not changed or removed if a member with more permissions signs in by it', async () => {
    await setGrants('teacher', ['identity'])
    const body = written({})
    const created = await operator(identityProviders.create, { body })
    const params = { id: created.data.id }
    await app.platform.db
      .insertInto('federated_identity')
      .values({
        provider_id: created.data.id,
        person_id: (await accountOf('admin')).personId,
        realm: 'https://login.example',
        subject: 'the-admin',
      })
      .execute()
    for (const answer of [
      await operator(identityProviders.update, {
        params,
        body: declared(identityProviders.update, body),
      }),
      await operator(identityProviders.remove, { params }),
    ])
      expect(answer).toMatchObject({ status: 403, error: 'operator.member_may_more' })
    expect((await admin(identityProviders.remove, { params })).status).toBe(200)
  })
})

test('every changing identity call declares member_may_more or is listed as harmless', () => {
  const changing = Object.values(endpoints as Record<string, Record<string, Endpoint>>)
    .flatMap((area) => Object.values(area))
    .filter(
      (endpoint) =>
        endpoint.access === 'operator' &&
        endpoint.permission === 'identity' &&
        endpoint.method !== 'GET',
    )
  const acting = changing.filter(({ errors }) => errors?.includes('operator.member_may_more'))
  const harmless = [
    // grants only permissions the operator has
    '/console-api/v1/operators',
    // have no accounts yet, or only revoke a program's access
    '/console-api/v1/scim-clients',
    '/console-api/v1/scim-clients/{id}/token',
    '/console-api/v1/identity-providers',
    // sets the heads of a part in the operator's scope, which grants no permissions
    '/console-api/v1/organization-heads/{organization}',
    // sets posts and offices in that part, which grants no permissions
    '/console-api/v1/addressBook/posts',
    // read only
    '/console-api/v1/identity-providers/{id}/test',
    '/console-api/v1/exports/members',
    '/console-api/v1/exports/organizations',
    // resends a message unchanged to its recipient
    '/console-api/v1/outbox/{id}/send',
    // services, not people
    '/console-api/v1/relying-parties',
    '/console-api/v1/relying-parties/{code}',
    '/console-api/v1/relying-parties/{code}/secret',
  ]
  expect(
    changing
      .filter((endpoint) => !acting.includes(endpoint) && !harmless.includes(endpoint.path))
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual([])
  expect(acting.length).toBeGreaterThan(10)
})
