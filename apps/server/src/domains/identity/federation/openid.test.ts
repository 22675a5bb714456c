import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { federation, identityProviders } from '@atrium/contract/identity/federation'
import { identity } from '@atrium/contract/identity/identity'
import { factorSignIn, secondFactor } from '@atrium/contract/identity/second-factor'
import { personal } from '@atrium/contract/member/personal'
import { settings } from '@atrium/contract/shell/config.operator'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fragmentOf, openBrowser } from '../../../../test/browser.ts'
import { startOpenidProvider } from '../../../../test/openid-provider.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

const origin = 'https://m.example.edu'
const callback = `${origin}/token/federation/callback/campus`

let shared: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let liar: Awaited<ReturnType<typeof startLiar>>
let id: string
beforeAll(async () => {
  shared = await testApp()
  provider = await startOpenidProvider(callback)
  liar = await startLiar()
  node = await openNode(shared.url, {
    ATRIUM_PUBLIC_URL: origin,
    ATRIUM_OUTBOUND_ALLOW: [provider.issuer, liar.issuer]
      .map((issuer) => `127.0.0.1:${new URL(issuer).port}`)
      .join(','),
  })
  const created = await admin(identityProviders.create, {
    body: {
      code: 'campus',
      kind: 'openid',
      name: '校园统一认证',
      nameEn: 'Campus login',
      enabled: true,
      settings: honest(),
      secret: provider.client.secret,
    },
  })
  id = created.data.id
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  await provider.stop()
  await liar.stop()
})
beforeEach(() => {
  liar.mood = {}
})

const honest = () => ({ issuer: provider.issuer, clientId: provider.client.id })
const admin: Awaited<ReturnType<TestApp['as']>> = async (endpoint, input) =>
  (await shared.as('admin'))(endpoint, input)
const change = (values: object) =>
  admin(identityProviders.update, {
    params: { id },
    // An issuer of another host needs the secret again.
    body: {
      ...{ name: '校园统一认证', nameEn: 'Campus login', enabled: true },
      secret: provider.client.secret,
      ...values,
    },
  })
/** Result of an operator's provider test. */
const runProviderTest = async () => {
  const { method, path } = identity.passwordLogin
  const payload = { username: 'admin', password: demoPassword }
  const { data } = (await node.app.inject({ method, url: path, payload })).json()
  return (
    await node.app.inject({
      method: 'POST',
      url: identityProviders.test.path.replace('{id}', id),
      headers: { 'x-id-token': idTokenOf(data) },
    })
  ).json().data
}
const browser = () => openBrowser(node.app, origin)
type Browser = ReturnType<typeof browser>

const beginLogin = (client: Browser, query = '') =>
  client.visit(`/token/federation/begin/campus${query}`)
/** Goes to the provider and back. @returns the fields in the final fragment */
async function signInThrough(client: Browser, query = '') {
  const start = await beginLogin(client, query)
  expect(start.statusCode).toBe(303)
  const returned = await client.visit(await client.follow(String(start.headers.location)))
  expect(returned.statusCode).toBe(303)
  return {
    location: String(returned.headers.location),
    ...fragmentOf(returned.headers.location),
  } as {
    location: string
    nonce?: string
    problem?: string
  }
}
const login = async (client: Browser, nonce = '') =>
  (await client.visit(federation.login.path, { method: 'POST', payload: { nonce } })).json()
const bind = async (client: Browser, nonce = '', payload: object = {}) =>
  (
    await client.visit(federation.bind.path, {
      method: 'POST',
      payload: { nonce, username: 'student', password: demoPassword, ...payload },
    })
  ).json()
const me = async (token: string) =>
  (await node.app.inject({ url: personal.me.path, headers: { 'x-id-token': token } })).json()

describe('an OpenID provider', () => {
  beforeEach(() => change({ settings: honest() }))

  test('is listed for sign-in, and its secret is never exposed', async () => {
    const { providers } = (await node.app.inject(identity.configs.path)).json().data
    expect(providers).toEqual([
      { code: 'campus', kind: 'openid', name: '校园统一认证', nameEn: 'Campus login' },
    ])
    const listed = await admin(identityProviders.list)
    expect(listed.data[0]).toMatchObject({ secretSet: true, callback: expect.any(String) })
    expect(listed.raw).not.toContain(provider.client.secret)
    const stored = await shared.platform.db
      .selectFrom('identity_provider')
      .select('sealed_secret')
      .execute()
    expect(JSON.stringify(stored)).not.toContain(provider.client.secret)
    expect((await runProviderTest()).ok).toBe(true)
  })

  test('binds an unknown identity once with a password, then signs it in directly', async () => {
    provider.state.user = 'unknown-one'
    const client = browser()
    const first = await signInThrough(client, '?returnTarget=%2Fpages%2FmyInfo%2FmyInfo')
    expect(first.location).toMatch(/^\/pages\/login\/bindAccount\?returnTarget=%2Fpages%2FmyInfo/)
    const info = await client.visit(`${federation.userInfo.path}?nonce=${first.nonce}`)
    expect(info.json().data).toMatchObject({
      provider: 'campus',
      display: 'Name of unknown-one',
      bound: false,
      accounts: [],
    })
    expect((await login(client, first.nonce)).error).toBe('federation.not_bound')
    expect((await bind(client, first.nonce, { password: 'wrong' })).error).toBe('login.refused')
    const bound = await bind(client, first.nonce)
    expect((await me(idTokenOf(bound.data))).data.accountName).toBe('student')
    expect((await bind(client, first.nonce)).error).toBe('federation.expired')

    const again = browser()
    const second = await signInThrough(again)
    const signedIn = await login(again, second.nonce)
    expect(signedIn.data.username).toBe('student')
    const rows = await shared.platform.db
      .selectFrom('authentication_log')
      .select(['way', 'result'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(rows).toEqual([
      { way: 'federated', result: 'ok' },
      { way: 'password', result: 'ok' },
    ])
    const mails = await shared.platform.db
      .selectFrom('outbox')
      .select('body')
      .where('body', 'like', '%已绑定“校园统一认证”%')
      .execute()
    expect(mails).toHaveLength(1)
  })

  test('binds an identity only after the second factor of the account is verified', async () => {
    provider.state.user = 'careful-one'
    const staff = await shared.as('staff')
    const { data: enrolment } = await staff(secondFactor.beginTotp)
    const codeNow = () =>
      new TOTP({ secret: Secret.fromBase32(enrolment.secret) }).generate({ timestamp: Date.now() })
    await staff(secondFactor.addTotp, {
      body: { enrolment: enrolment.enrolment, code: codeNow() },
    })
    const { db } = shared.platform
    await db.updateTable('totp').set({ last_step: '0' }).execute()
    const isBound = async () =>
      (await db.selectFrom('federated_identity').select('subject').execute()).some(
        ({ subject }) => subject === 'careful-one',
      )
    const client = browser()
    const { nonce } = await signInThrough(client)
    const { data } = await bind(client, nonce, { username: 'staff' })
    expect(data.due).toBe('secondFactor')
    expect(await isBound()).toBe(false)
    const give = async (code: string) =>
      (
        await client.visit(factorSignIn.mfa.path, {
          method: 'POST',
          payload: { state: data.state, code },
        })
      ).json()
    expect((await give('000000')).error).toBe('factor.refused')
    expect(await isBound()).toBe(false)
    expect((await give(codeNow())).data.username).toBe('staff')
    expect(await isBound()).toBe(true)
    await db.deleteFrom('totp').execute()
  })

  test('is linked from account security only after a fresh confirmation', async () => {
    provider.state.user = 'linked-one'
    const tokenOf = async (username: string) => {
      const { method, path } = identity.passwordLogin
      const payload = { username, password: demoPassword }
      return idTokenOf((await node.app.inject({ method, url: path, payload })).json().data)
    }
    const link = async (client: Browser, token: string, nonce = '') =>
      (
        await client.visit(federation.link.path, {
          method: 'POST',
          payload: { nonce },
          headers: { 'x-id-token': token },
        })
      ).json()
    const client = browser()
    const token = await tokenOf('teacher')
    const stale = (minutes: number) =>
      shared.platform.db
        .updateTable('session')
        .set({ confirmed_at: sql<string>`now() - make_interval(mins => ${minutes})` })
        .where('account_id', '=', sql<string>`(select id from account where username = 'teacher')`)
        .execute()
    const { nonce } = await signInThrough(client)
    expect((await link(client, '', nonce)).error).toBe('session.required')
    await stale(11)
    expect((await link(client, token, nonce)).error).toBe('session.confirmation_due')
    await stale(0)
    // A login from another browser is not accepted.
    expect((await link(browser(), token, nonce)).error).toBe('federation.expired')
    const linked = await link(client, token, nonce)
    expect(linked.data).toMatchObject([{ provider: 'campus', display: 'Name of linked-one' }])
    expect((await link(client, token, nonce)).error).toBe('federation.expired')

    const later = browser()
    expect((await login(later, (await signInThrough(later)).nonce)).data.username).toBe('teacher')
    // The identity stays with its first owner.
    const other = browser()
    const shown = await signInThrough(other)
    expect((await link(other, await tokenOf('staff'), shown.nonce)).error).toBe(
      'federation.bound_before',
    )
    expect((await link(other, token, shown.nonce)).data).toHaveLength(1)
  })

  test('matches accounts by username only if enabled, and activates a matched account', async () => {
    provider.state.user = 'teacher'
    const client = browser()
    expect((await login(client, (await signInThrough(client)).nonce)).error).toBe(
      'federation.not_bound',
    )
    await change({ settings: { ...honest(), matchUsername: true } })
    const teachers = shared.platform.db.updateTable('account').where('username', '=', 'teacher')
    await teachers.set({ status: 'inactive' }).execute()
    const matched = await login(client, (await signInThrough(client)).nonce)
    expect(matched.data.username).toBe('teacher')
    await teachers.set({ status: 'disabled' }).execute()
    expect((await login(client, (await signInThrough(client)).nonce)).error).toBe(
      'federation.no_account',
    )
    await teachers.set({ status: 'active' }).execute()
    const bound = await shared.platform.db.selectFrom('federated_identity').selectAll().execute()
    expect(bound.map(({ subject }) => subject)).not.toContain('teacher')
  })

  test('signs members out too when they leave the portal, if enabled', async () => {
    provider.state.user = 'staff'
    const outsideUrlFor = async (values: object) => {
      await change({ settings: { ...honest(), matchUsername: true, ...values } })
      const client = browser()
      const { data } = await login(client, (await signInThrough(client)).nonce)
      const { method, path } = identity.logout
      const headers = { 'x-id-token': idTokenOf(data) }
      const left = (await node.app.inject({ method, url: path, headers })).json()
      return left.data.outsideUrl as string
    }
    expect(await outsideUrlFor({})).toBe('')
    const outsideUrl = await outsideUrlFor({ signOutThere: true })
    const address = new URL(outsideUrl)
    expect(address.origin).toBe(new URL(provider.issuer).origin)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: provider.client.id,
      post_logout_redirect_uri: `${origin}/pages/login/signedOut`,
    })
    // The provider accepts the return address.
    expect((await fetch(outsideUrl)).status).toBe(200)
    const elsewhere = outsideUrl.replace('signedOut', 'elsewhere')
    expect((await fetch(elsewhere)).status).toBe(400)
  })

  test('ends only the session it opened by back-channel logout', async () => {
    await change({ settings: { ...honest(), matchUsername: true } })
    provider.state.user = 'staff'
    const one = browser()
    const other = browser()
    const staffs = await login(one, (await signInThrough(one)).nonce)
    provider.state.user = 'teacher'
    const teachers = await login(other, (await signInThrough(other)).nonce)
    const [, cookie] = [...one.theirs].find(([name]) => name === '_session') ?? []
    const token = await provider.signOut(cookie ?? '')
    const told = await node.app.inject({
      method: 'POST',
      url: '/token/federation/callback/campus',
      payload: { logout_token: token },
    })
    expect(told.statusCode).toBe(200)
    expect((await me(idTokenOf(staffs.data))).error).toBe('session.expired')
    expect((await me(idTokenOf(teachers.data))).data.accountName).toBe('teacher')
  })
})

describe('sign-in is rejected for', () => {
  beforeEach(() => change({ settings: honest() }))
  const refused = async (url: string, client: Browser) =>
    fragmentOf((await client.visit(url)).headers.location).problem

  test('a response requested by another browser, or by none', async () => {
    const mine = browser()
    const victim = browser()
    const start = await beginLogin(mine)
    const returned = await mine.follow(String(start.headers.location))
    expect(await refused(returned, victim)).toBe('federation.expired')
    await beginLogin(victim)
    expect(await refused(returned, victim)).toBe('federation.expired')
    expect(await refused('/token/federation/callback/campus', victim)).toBe('federation.expired')
    expect(fragmentOf((await mine.visit(returned)).headers.location).nonce).toBeDefined()
  })

  test('a replayed response, another state, or the callback of another provider', async () => {
    const client = browser()
    const start = await beginLogin(client)
    const returned = await client.follow(String(start.headers.location))
    expect(await refused(returned.replace(/state=\w+/, 'state=0'), client)).toBe(
      'federation.expired',
    )
    expect(await refused(returned.replace('callback/campus', 'callback/other'), client)).toBe(
      'federation.expired',
    )
    expect(await refused(returned, client)).toBe('federation.expired')
  })

  test('a pending login of another browser', async () => {
    const { nonce } = await signInThrough(browser())
    const victim = browser()
    expect((await login(victim, nonce)).error).toBe('federation.expired')
    expect((await bind(victim, nonce)).error).toBe('federation.expired')
  })

  test('a provider that was disabled meanwhile', async () => {
    const client = browser()
    const { nonce } = await signInThrough(client)
    await change({ settings: honest(), enabled: false })
    expect((await login(client, nonce)).error).toBe('login.way_off')
    expect(fragmentOf((await beginLogin(client)).headers.location).problem).toBe('login.way_off')
  })

  test('a person who declines at the provider', async () => {
    const client = browser()
    const start = new URL(String((await beginLogin(client)).headers.location))
    const returned = `/token/federation/callback/campus?error=access_denied&state=${start.searchParams.get('state')}&iss=${encodeURIComponent(provider.issuer)}`
    expect(await refused(returned, client)).toBe('federation.refused')
  })
})

describe('a malicious provider', () => {
  beforeEach(async () => {
    await change({ settings: { issuer: liar.issuer, clientId: 'atrium', matchUsername: true } })
  })
  test.each<[string, Mood, string | undefined]>([
    ['a valid response, which is accepted', {}, undefined],
    ['another nonce', { claims: { nonce: 'another' } }, 'federation.refused'],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'federation.refused'],
    ['another audience', { claims: { aud: 'somebody-else' } }, 'federation.refused'],
    ['an expired token', { claims: { exp: 1_700_000_000 } }, 'federation.refused'],
    ['a signature by another key', { otherKey: true }, 'federation.refused'],
    ['no signature', { unsigned: true }, 'federation.refused'],
    ['no subject', { claims: { sub: undefined } }, 'federation.refused'],
    [
      'an overlong subject',
      { ...subject(randomBytes(5000).toString('hex')) },
      'federation.refused',
    ],
    ['a subject with a NUL character', { ...subject('a\0b') }, 'federation.refused'],
    ['a subject with a lone surrogate', { ...subject('a\ud800') }, 'federation.refused'],
    ['an invalid name, which is accepted', { claims: { name: 'a\0b\ud800' } }, undefined],
    [
      'an invalid username, which is ignored',
      { claims: { preferred_username: 'a\0b' } },
      undefined,
    ],
    [
      'userinfo of another subject',
      { userinfo: { sub: 'admin', preferred_username: 'admin' } },
      'federation.refused',
    ],
    ['no id token', { noToken: true }, 'federation.refused'],
    ['HTML instead of JSON', { nonsense: true }, 'federation.refused'],
    ['no response', { down: true }, 'federation.unavailable'],
    ['an endless response', { endless: true }, 'federation.unavailable'],
    ['a redirect to an internal address', { redirect: true }, 'federation.unavailable'],
  ])('returns %s', async (_, mood, problem) => {
    const client = browser()
    const start = new URL(String((await beginLogin(client)).headers.location))
    liar.mood = mood
    liar.nonce = start.searchParams.get('nonce') ?? ''
    const returned = await client.visit(
      `/token/federation/callback/campus?code=abc&state=${start.searchParams.get('state')}`,
    )
    const came = fragmentOf(returned.headers.location)
    expect(came.problem).toBe(problem)
    expect(came.nonce === undefined).toBe(problem !== undefined)
    expect(liar.verifier).toMatch(problem && mood.down ? /.*/ : /^[\w-]{43,128}$/)
  })

  test.each([
    ['\u212aevin', false],
    ['Kevin\u0301', false],
    [`${'k'.repeat(100)}evin`, false],
    ['kevin\0', false],
    ['kevin x', false],
    // Surrounding spaces belong to no username.
    [' kevin ', true],
  ])(
    'cannot match an account by a merely similar username: %j matches: %s',
    async (preferred_username, matches) => {
      const { db } = shared.platform
      const like = preferred_username.length > 100 ? 'k'.repeat(100) : 'kevin'
      await db
        .updateTable('account')
        .set({ username: like })
        .where('username', '=', 'teacher')
        .execute()
      try {
        const client = browser()
        const start = new URL(String((await beginLogin(client)).headers.location))
        liar.mood = { claims: { preferred_username } }
        liar.nonce = start.searchParams.get('nonce') ?? ''
        const returned = await client.visit(
          `/token/federation/callback/campus?code=abc&state=${start.searchParams.get('state')}`,
        )
        const { nonce } = fragmentOf(returned.headers.location)
        const { data } = (await client.visit(`${federation.userInfo.path}?nonce=${nonce}`)).json()
        expect(data.bound).toBe(matches)
      } finally {
        await db
          .updateTable('account')
          .set({ username: 'teacher' })
          .where('username', '=', like)
          .execute()
      }
    },
  )

  test('redirects members to another host only if casHosts lists it', async () => {
    liar.authorization = 'https://evil.example/authorize'
    await change({ settings: { issuer: liar.issuer, clientId: 'another', matchUsername: true } })
    expect(fragmentOf((await beginLogin(browser())).headers.location).problem).toBe(
      'federation.refused',
    )
    await admin(settings.update, {
      params: { key: 'casHosts' },
      body: { value: '["evil.example"]' },
    })
    await node.platform.topics.flushed()
    expect((await beginLogin(browser())).headers.location).toMatch(
      /^https:\/\/evil\.example\/authorize\?/,
    )
    liar.authorization = undefined
  })

  test('is reported as unavailable when unreachable', async () => {
    await change({ settings: { issuer: 'http://127.0.0.1:1', clientId: 'atrium' } })
    expect(fragmentOf((await beginLogin(browser())).headers.location).problem).toBe(
      'federation.unavailable',
    )
    expect((await runProviderTest()).ok).toBe(false)
  })

  test.each([
    ['another key', { otherKey: true }],
    ['no event', { claims: { events: {} } }],
    ['a nonce', { claims: { nonce: 'n' } }],
    ['another audience', { claims: { aud: 'x' } }],
    ['an iat of an hour ago', { claims: { iat: Math.floor(Date.now() / 1000) - 3600 } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['no jti', { claims: { jti: undefined } }],
    ['no signature', { unsigned: true }],
  ] as [string, Mood][])('cannot end a session by a logout token with %s', async (_, mood) => {
    const sid = randomBytes(8).toString('hex')
    const client = browser()
    const start = new URL(String((await beginLogin(client)).headers.location))
    liar.mood = { claims: { sid, name: 'x', preferred_username: 'student' } }
    liar.nonce = start.searchParams.get('nonce') ?? ''
    const returned = await client.visit(
      `/token/federation/callback/campus?code=abc&state=${start.searchParams.get('state')}`,
    )
    const { nonce } = fragmentOf(returned.headers.location)
    const token = idTokenOf((await login(client, nonce)).data)
    const send = async (given: Mood) =>
      (
        await node.app.inject({
          method: 'POST',
          url: '/token/federation/callback/campus',
          payload: {
            logout_token: await liar.logoutToken({ ...given, claims: { sid, ...given.claims } }),
          },
        })
      ).statusCode
    expect(await send(mood)).toBe(403)
    expect((await me(token)).data.accountName).toBe('student')
    expect(await send({})).toBe(200)
    expect((await me(token)).error).toBe('session.expired')
  })
})

describe('provider administration', () => {
  const create = (body: object) =>
    admin(identityProviders.create, {
      body: { code: 'second', kind: 'openid', name: 'x', settings: honest(), ...body },
    })
  test.each<[string, object, Record<string, unknown>]>([
    [
      'reports a missing field',
      { settings: { clientId: 'a' } },
      { 'settings.issuer': expect.any(String) },
    ],
    [
      'reports a field of another provider kind',
      {
        settings: {
          ...{ issuer: 'https://a.example', clientId: 'a' },
          appId: 'wx0123456789abcdef',
        },
      },
      { 'settings.appId': expect.any(String) },
    ],
    [
      'rejects plain http for an external address',
      { settings: { issuer: 'http://login.example', clientId: 'a' } },
      { 'settings.issuer': expect.any(String) },
    ],
    [
      'requires a secret for WeCom',
      { kind: 'wecom', settings: { corpId: 'ww0123456789', agentId: '1000002' } },
      { secret: expect.any(String) },
    ],
    ['rejects a code with invalid characters', { code: 'A b' }, { code: expect.any(String) }],
  ])('%s', async (_, body, fields) => {
    const answer = await create(body)
    expect([answer.status, answer.fields]).toEqual([400, fields])
  })

  test('changes a provider and keeps its secret unless a new one is given', async () => {
    const { db } = shared.platform
    const body = {
      ...{ name: '新名', nameEn: 'New name', enabled: false },
      settings: { ...honest(), nameAttribute: 'nickname' },
    }
    const created = await create({ secret: 'the first secret', enabled: true })
    const params = { id: created.data.id }
    const sealed = async () =>
      (
        await db
          .selectFrom('identity_provider')
          .select('sealed_secret')
          .where('id', '=', params.id)
          .executeTakeFirstOrThrow()
      ).sealed_secret ?? ''
    expect((await admin(identityProviders.update, { params, body })).data).toMatchObject({
      ...body,
      code: 'second',
      secretSet: true,
    })
    expect((await admin(identityProviders.list)).data).toContainEqual(
      expect.objectContaining({ code: 'second', ...body }),
    )
    expect(shared.platform.secret.decrypt(await sealed())).toBe('the first secret')
    await admin(identityProviders.update, { params, body: { ...body, secret: 'another secret' } })
    expect(shared.platform.secret.decrypt(await sealed())).toBe('another secret')
    const student = await shared.as('student')
    expect((await student(identityProviders.update, { params, body })).status).toBe(403)
    await admin(identityProviders.remove, { params })
    expect(await admin(identityProviders.update, { params, body })).toMatchObject({
      status: 404,
      error: 'federation.provider_not_found',
    })
  })

  test('rejects duplicate codes and non-operators, and audits without secrets', async () => {
    expect((await create({ code: 'campus' })).error).toBe('federation.provider_taken')
    const created = await create({})
    expect(created.status).toBe(200)
    const student = await shared.as('student')
    expect((await student(identityProviders.list)).status).toBe(403)
    expect((await student(identityProviders.test, { params: { id } })).status).toBe(403)
    const params = { id: created.data.id }
    expect((await admin(identityProviders.remove, { params })).status).toBe(200)
    expect((await admin(identityProviders.remove, { params })).status).toBe(404)
    const logged = await shared.platform.db
      .selectFrom('audit_entry')
      .select('details')
      .where('action', '=', 'POST /console-api/v1/identity-providers')
      .execute()
    expect(logged.length).toBeGreaterThan(1)
    expect(JSON.stringify(logged)).not.toContain(provider.client.secret)
  })
})

type Mood = {
  claims?: Record<string, unknown>
  otherKey?: boolean
  unsigned?: boolean
  userinfo?: object
  noToken?: boolean
  nonsense?: boolean
  down?: boolean
  endless?: boolean
  redirect?: boolean
}

/** The same subject in both answers. */
const subject = (sub: string): Mood => ({ claims: { sub }, userinfo: { sub } })

/** A provider that gives the configured answers. */
async function startLiar() {
  const own = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const server = http.createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => void answer(request.url ?? '', text, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state = {
    issuer,
    mood: {} as Mood,
    nonce: '',
    verifier: '',
    authorization: undefined as string | undefined,
    logoutToken: (mood: Mood) =>
      sign(
        {
          sid: 'none',
          jti: randomBytes(8).toString('hex'),
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        },
        mood,
      ),
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function sign(claims: object, { claims: lies = {}, otherKey, unsigned }: Mood) {
    const now = Math.floor(Date.now() / 1000)
    const body = {
      iss: issuer,
      aud: 'atrium',
      sub: 'somebody',
      iat: now,
      exp: now + 300,
      ...claims,
      ...lies,
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    if (unsigned) return `${part({ alg: 'none' })}.${part(body)}.`
    return new SignJWT(body)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(otherKey ? other.privateKey : own.privateKey)
  }

  async function answer(url: string, text: string, response: http.ServerResponse) {
    const say = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { mood } = state
    if (url === '/.well-known/openid-configuration')
      return say({
        issuer,
        authorization_endpoint: state.authorization ?? `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url === '/keys') return say({ keys: [jwk] })
    if (url === '/me')
      return say(mood.userinfo ?? { sub: 'somebody', name: 'x', preferred_username: 'nobody' })
    if (mood.down) return response.destroy()
    if (mood.nonsense) return response.writeHead(200).end('<html>')
    if (mood.redirect) return response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    if (mood.endless) {
      const block = Buffer.alloc(65_536, 'x')
      const more = () => {
        while (!response.destroyed && response.write(block));
        response.once('drain', more)
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      return more()
    }
    state.verifier = new URLSearchParams(text).get('code_verifier') ?? ''
    const id_token = mood.noToken ? undefined : await sign({ nonce: state.nonce }, mood)
    return say({ access_token: 'AT', token_type: 'Bearer', expires_in: 60, id_token })
  }
  return state
}
