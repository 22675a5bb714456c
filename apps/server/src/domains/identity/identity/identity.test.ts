import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { centralLogin } from '@atrium/contract/sso/central-login'
import { decodeJwt, generateKeyPair, importSPKI, jwtVerify, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { rotateSigningKey } from '#platform/signing-keys.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
const signIn = async (username = 'student') =>
  idTokenOf(
    (await app.visitor(identity.passwordLogin, { body: { username, password: demoPassword } }))
      .data,
  )

test('verifying a token returns its owner, and fails once the session has ended', async () => {
  const token = await signIn('teacher')
  const verify = (idToken: string) => app.visitor(identity.verify, { body: { token: idToken } })
  const { data } = await verify(token)
  expect(data).toMatchObject({ username: 'teacher', name: '周明远', nameEn: 'Zhou Mingyuan' })
  expect(Date.parse(data.expiresAt)).toBe((decodeJwt(token).exp ?? 0) * 1000)
  const [head, payload] = token.split('.')
  for (const bad of ['x', `${head}.${payload}.`, `${head}.${payload}.AAAA`])
    expect(await verify(bad)).toMatchObject({ status: 401, error: 'session.expired' })
  await app.withToken(token)(identity.logout)
  expect(await verify(token)).toMatchObject({ status: 401, error: 'session.expired' })
})

describe('signing in with a password', () => {
  test('returns an id token that the published key verifies', async () => {
    const token = await signIn()
    const pem = (await app.visitor(identity.publicKey)).raw
    const { payload } = await jwtVerify(token, await importSPKI(pem, 'ES256'), {
      audience: 'portal',
      issuer: app.platform.origin(),
    })
    expect(payload).toMatchObject({
      sub: 'student',
      ATTR_identityTypeCode: expect.any(String),
      ATTR_userName: expect.any(String),
      ATTR_accountId: expect.any(String),
      ATTR_organizationCode: expect.any(String),
      ATTR_organizationId: expect.any(String),
      ATTR_organizationName: expect.any(String),
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(7200)
    expect((await app.visitor(identity.jwks)).raw).not.toContain('"d"')
  })

  test('accepts fields in the query, a form or JSON; the body takes precedence', async () => {
    const query = { username: 'student', password: demoPassword }
    expect((await app.visitor(identity.passwordLogin, { query })).status).toBe(200)
    expect(
      (
        await app.visitor(identity.passwordLogin, {
          query: { ...query, password: 'wrong' },
          body: { password: demoPassword },
        })
      ).status,
    ).toBe(200)
    const form = await app.app.inject({
      method: 'POST',
      url: identity.passwordLogin.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(query).toString(),
    })
    expect(form.statusCode).toBe(200)
  })

  test('returns the same error for a wrong password, an unknown and a disabled account', async () => {
    const { db } = app.platform
    await db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('username', '=', 'staff')
      .execute()
    const answers = await Promise.all(
      [
        ['student', 'wrong'],
        ['nobody-of-this-name', demoPassword],
        ['staff', demoPassword],
      ].map(([username, password]) =>
        app.visitor(identity.passwordLogin, { body: { username, password } }),
      ),
    )
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, error: 'login.refused' })
    expect(new Set(answers.map((answer) => JSON.parse(answer.raw).message)).size).toBe(1)
    await db
      .updateTable('account')
      .set({ status: 'active' })
      .where('username', '=', 'staff')
      .execute()
  })

  test('reports an inactive account only when the password is correct', async () => {
    const { db } = app.platform
    await db
      .updateTable('account')
      .set({ status: 'inactive' })
      .where('username', '=', 'staff')
      .execute()
    const right = await app.visitor(identity.passwordLogin, {
      body: { username: 'staff', password: demoPassword },
    })
    expect(right).toMatchObject({ status: 403, error: 'login.not_activated' })
    expect(JSON.parse(right.raw).message).toBe('账号未激活')
    expect(
      (
        await app.visitor(identity.passwordLogin, {
          body: { username: 'staff', password: 'wrong' },
        })
      ).error,
    ).toBe('login.refused')
    await db
      .updateTable('account')
      .set({ status: 'active' })
      .where('username', '=', 'staff')
      .execute()
  })
})

describe('an id token', () => {
  test('is rejected at once after logout, and by another node within a second', async () => {
    const token = await signIn()
    const other = await openNode(app.url, { ATRIUM_DATA_DIR: app.platform.env.ATRIUM_DATA_DIR })
    const there = () =>
      other.app.inject({ url: personal.me.path, headers: { 'x-id-token': token } })
    expect((await there()).statusCode).toBe(200)
    expect((await app.withToken(token)(identity.logout)).status).toBe(200)
    expect(await app.withToken(token)(personal.me)).toMatchObject({
      status: 401,
      error: 'session.expired',
    })
    await expect.poll(async () => (await there()).statusCode, { timeout: 1000 }).toBe(401)
    await other.app.close()
    await other.platform.close()
  })

  test('is rejected when forged, expired, malformed or without a session', async () => {
    const token = await signIn()
    const claims = decodeJwt(token)
    const { privateKey } = await generateKeyPair('ES256')
    const pem = (await app.visitor(identity.publicKey)).raw
    const forged = {
      'another key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'unknown' })
        .sign(privateKey),
      'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
      'the public key as an HMAC secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(pem)),
      'a changed payload': [
        token.split('.')[0],
        Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'),
        token.split('.')[2],
      ].join('.'),
      'another audience': await app.platform.keys.sign(
        {},
        {
          type: 'idt+jwt',
          audience: 'elsewhere',
          subject: 'student',
          id: String(claims.jti),
          seconds: 60,
        },
      ),
      expired: await app.platform.keys.sign(
        {},
        {
          type: 'idt+jwt',
          audience: 'portal',
          subject: 'student',
          id: String(claims.jti),
          seconds: -1,
        },
      ),
      'no session': await app.platform.keys.sign(
        {},
        {
          type: 'idt+jwt',
          audience: 'portal',
          subject: 'student',
          id: `${crypto.randomUUID()}.1`,
          seconds: 60,
        },
      ),
      'not a token': 'abc',
      'an oversized token': 'a'.repeat(8000),
    }
    for (const [how, bad] of Object.entries(forged)) {
      expect({ how, ...(await app.withToken(bad)(personal.me)) }).toMatchObject({
        how,
        status: 401,
        error: 'session.expired',
      })
    }
    expect((await app.withToken(token)(personal.me)).status).toBe(200)
  })

  test('remains valid after a key rotation', async () => {
    const token = await signIn()
    await rotateSigningKey(app.platform.db, app.platform.secret)
    await app.platform.keys.reload()
    const fresh = await signIn()
    expect((await app.withToken(token)(personal.me)).status).toBe(200)
    expect((await app.withToken(fresh)(personal.me)).status).toBe(200)
    expect(JSON.parse((await app.visitor(identity.jwks)).raw).keys.length).toBeGreaterThan(1)
  })

  test('is rejected once the account is disabled', async () => {
    const token = await signIn('staff')
    const { db, topics } = app.platform
    await db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('username', '=', 'staff')
      .execute()
    const { invalidate } = await import('#platform/database/topics.ts')
    await invalidate(db, 'directory')
    await topics.flushed()
    expect((await app.withToken(token)(personal.me)).status).toBe(401)
    await db
      .updateTable('account')
      .set({ status: 'active' })
      .where('username', '=', 'staff')
      .execute()
  })
})

describe('the central login', () => {
  const service = () => `${app.platform.origin()}/page/index/index?returnTarget=true`

  /** Opens the page and posts the form as a browser would; returns the response. */
  async function submitForm(
    fields: Record<string, string>,
    target: string | undefined = service(),
  ) {
    const page = await app.app.inject({
      url: centralLogin.show.path,
      query: target ? { service: target } : {},
    })
    const lt = /name="lt" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    return app.app.inject({
      method: 'POST',
      url: centralLogin.submit.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookiesOf(page) },
      payload: new URLSearchParams({
        lt,
        ...(target && { service: target }),
        ...fields,
      }).toString(),
    })
  }
  const cookiesOf = (response: { cookies: { name: string; value: string }[] }) =>
    response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const credentials = { username: 'student', password: demoPassword }
  const ticketOf = (response: { headers: Record<string, unknown> }) =>
    new URL(String(response.headers.location)).searchParams.get('ticket') ?? ''

  test('redirects to the portal with a ticket that can be redeemed once', async () => {
    const signedIn = await submitForm(credentials)
    expect(signedIn.statusCode).toBe(303)
    const ticket = ticketOf(signedIn)
    expect(decodeJwt(ticket)).toMatchObject({
      idToken: expect.any(String),
      sub: 'student',
      jti: expect.stringMatching(/^ST-/),
    })
    const redeem = () =>
      app.visitor(identity.redeemTicket, { body: { ticket, service: service() } })
    const answers = await Promise.all([redeem(), redeem(), redeem()])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.error === 'ticket.invalid')).toHaveLength(2)
    const good = answers.find((answer) => answer.status === 200)
    if (!good) throw new Error('none was redeemed')
    expect((await app.withToken(idTokenOf(good.data))(personal.me)).data.accountName).toBe(
      'student',
    )
  })

  test('creates one central and one portal session per sign-in', async () => {
    const kinds = async () => {
      const rows = await app.platform.db
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .select('session.kind')
        .where('account.username', '=', 'teacher')
        .execute()
      return rows.map((row) => row.kind).sort()
    }
    const before = await kinds()
    const signedIn = await submitForm({ username: 'teacher', password: demoPassword })
    await app.visitor(identity.redeemTicket, {
      body: { ticket: ticketOf(signedIn), service: service() },
    })
    expect(await kinds()).toEqual([...before, 'central', 'portal'].sort())
  })

  test.each(['/other', '.evil.example/', ' is not an address'])(
    'rejects a ticket presented for another service and invalidates it: %s',
    async (elsewhere) => {
      const ticket = ticketOf(await submitForm(credentials))
      for (const address of [`${app.platform.origin()}${elsewhere}`, service()])
        expect(
          await app.visitor(identity.redeemTicket, { body: { ticket, service: address } }),
        ).toMatchObject({ status: 401, error: 'ticket.invalid' })
    },
  )

  test('asks for no password while signed in, unless renew is set', async () => {
    const signedIn = await submitForm(credentials)
    const cookie = cookiesOf(signedIn)
    const secondSignIn = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service() },
      headers: { cookie },
    })
    expect(secondSignIn.statusCode).toBe(303)
    const renew = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service(), renew: 'true' },
      headers: { cookie },
    })
    expect(renew.statusCode).toBe(200)
    expect(renew.body).toContain('type="password"')
  })

  test('ends the central session and its portal sessions on logout', async () => {
    const signedIn = await submitForm(credentials)
    const { data } = await app.visitor(identity.redeemTicket, {
      body: { ticket: ticketOf(signedIn), service: service() },
    })
    expect((await app.withToken(idTokenOf(data))(personal.me)).status).toBe(200)
    await app.app.inject({
      url: centralLogin.logout.path,
      headers: { cookie: cookiesOf(signedIn), 'sec-fetch-site': 'none' },
    })
    expect((await app.withToken(idTokenOf(data))(personal.me)).status).toBe(401)
    const after = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service() },
      headers: { cookie: cookiesOf(signedIn) },
    })
    expect(after.statusCode).toBe(200)
  })

  test.each([
    'https://evil.example/',
    'https://localhost:8080.evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'http://student@localhost:8080/',
    'not an address',
  ])('shows a page instead of redirecting to an unregistered service: %s', async (hostile) => {
    for (const gateway of ['false', 'true']) {
      const page = await app.app.inject({
        url: centralLogin.show.path,
        query: { service: hostile, gateway },
      })
      expect(page.statusCode).toBe(403)
      expect(page.headers.location).toBeUndefined()
    }
    const posted = await submitForm(credentials, undefined).then(() =>
      submitForm({ ...credentials, service: hostile }),
    )
    expect(posted.headers.location ?? '').not.toContain('evil')
  })

  test('rejects a ticket issued to another browser without ending the current session', async () => {
    const redeem = (ticket: string, headers: Record<string, string>) =>
      app.app.inject({
        method: 'POST',
        url: identity.redeemTicket.path,
        payload: { ticket, service: service() },
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      })
    const mine = await app.app.inject({
      method: 'POST',
      url: identity.passwordLogin.path,
      payload: { username: 'teacher', password: demoPassword },
    })
    const cookie = cookiesOf(mine)
    for (const headers of [{ cookie }, {}] as Record<string, string>[]) {
      const theirs = await redeem(ticketOf(await submitForm(credentials)), headers)
      expect(theirs.statusCode).toBe(401)
      expect(theirs.json().error).toBe('ticket.invalid')
      expect(theirs.headers['set-cookie']).toBeUndefined()
    }
    expect((await app.withToken(mine.json().data.idToken)(personal.me)).status).toBe(200)
    // The browser it was issued to can use it, even while another tab gets one.
    const signedIn = await submitForm(credentials)
    const own = { cookie: cookiesOf(signedIn) }
    const secondSignIn = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service() },
      headers: own,
    })
    expect((await redeem(ticketOf(secondSignIn), own)).statusCode).toBe(200)
    expect((await redeem(ticketOf(signedIn), own)).statusCode).toBe(200)
  })

  test('rejects a form without a valid token or posted from another site', async () => {
    const posted = await app.app.inject({
      method: 'POST',
      url: centralLogin.submit.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...credentials, lt: 'x', service: service() }).toString(),
    })
    expect(posted.statusCode).toBe(403)
    expect(posted.headers['set-cookie']?.toString() ?? '').not.toContain('TGC')
    // A neighbouring host can set a cookie with a value it obtained itself.
    const page = await app.app.inject({ url: centralLogin.show.path })
    const lt = /name="lt" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const send = (headers: Record<string, string>) =>
      app.app.inject({
        method: 'POST',
        url: centralLogin.submit.path,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: cookiesOf(page),
          ...headers,
        },
        payload: new URLSearchParams({ ...credentials, lt }).toString(),
      })
    for (const headers of [
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://blog.example.edu.cn' },
    ] as Record<string, string>[]) {
      const planted = await send(headers)
      expect(planted.statusCode).toBe(403)
      expect(planted.headers['set-cookie']?.toString() ?? '').not.toContain('TGC')
    }
    expect((await send({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(303)
  })

  test('shows the form again after a wrong password, with escaped input and no password', async () => {
    const page = await submitForm({
      username: '"><script>alert(1)</script>',
      password: 'secret-typed',
    })
    expect(page.statusCode).toBe(401)
    expect(page.body).not.toContain('<script>')
    expect(page.body).not.toContain('secret-typed')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('rejects an overlong service address with an HTML page', async () => {
    const page = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service() + 'a'.repeat(2000) },
    })
    expect(page.statusCode).toBe(403)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
  })

  test('redirects without a login form when gateway is set', async () => {
    const page = await app.app.inject({
      url: centralLogin.show.path,
      query: { service: service(), gateway: 'true' },
    })
    expect(page.statusCode).toBe(303)
    expect(page.headers.location).toBe(service())
  })
})
