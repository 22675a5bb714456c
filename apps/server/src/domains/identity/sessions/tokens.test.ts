import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { maintainSigningKeys, rotateSigningKey } from '#platform/signing-keys.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

let app: TestApp
let other: Awaited<ReturnType<typeof openNode>>
beforeAll(async () => {
  app = await testApp()
  other = await openNode(app.url)
})
afterAll(async () => {
  await other.app.close()
  await other.platform.close()
})
const signIn = async (username = 'student') =>
  idTokenOf(
    (await app.visitor(identity.passwordLogin, { body: { username, password: demoPassword } }))
      .data,
  )
const here = async (token: string) => (await app.withToken(token)(personal.me)).status
const there = async (token: string) =>
  (await other.app.inject({ url: personal.me.path, headers: { 'x-id-token': token } })).statusCode
const keyCount = async () =>
  (await app.platform.db.selectFrom('signing_key').select('kid').execute()).length

describe('an id token', () => {
  test('is not interchangeable with other types of tokens', async () => {
    const token = await signIn()
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'idt+jwt' })
    const { keys } = app.platform
    const claims = {
      audience: 'portal',
      subject: 'student',
      id: String(decodeJwt(token).jti),
      seconds: 60,
    }
    expect(await here(await keys.sign({}, { type: 'idt+jwt', ...claims }))).toBe(200)
    expect(await here(await keys.sign({}, { type: 'st+jwt', ...claims }))).toBe(401)
    expect(await here(await keys.sign({}, { type: 'at+jwt', ...claims }))).toBe(401)
    const service = `${app.platform.origin()}/page/index/index`
    for (const ticket of [
      token,
      await keys.sign(
        { idToken: token },
        { ...claims, type: 'idt+jwt', audience: service, issuer: `${app.platform.origin()}/cas` },
      ),
    ])
      expect(await app.visitor(identity.redeemTicket, { body: { ticket, service } })).toMatchObject(
        { status: 401, error: 'ticket.invalid' },
      )
  })

  test('is rejected before nbf, after exp and from another issuer', async () => {
    const token = await signIn()
    const claims = {
      type: 'idt+jwt',
      audience: 'portal',
      subject: 'student',
      id: String(decodeJwt(token).jti),
    } as const
    const { keys } = app.platform
    const now = Math.floor(Date.now() / 1000)
    expect(await here(await keys.sign({ nbf: now + 3600 }, { ...claims, seconds: 60 }))).toBe(401)
    expect(await here(await keys.sign({}, { ...claims, seconds: -1 }))).toBe(401)
    expect(
      await here(await keys.sign({}, { ...claims, issuer: 'https://evil.example', seconds: 60 })),
    ).toBe(401)
  })

  test('cannot supply its own key or an unknown kid', async () => {
    const token = await signIn()
    const claims = decodeJwt(token)
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const { kid } = decodeProtectedHeader(token)
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    for (const tricks of [
      { jwk },
      { jku: 'https://evil.example/keys.json' },
      { x5u: 'https://evil.example/cert.pem' },
      { kid: '../../etc/passwd' },
      { kid: "' or '1'='1" },
      { kid: '' },
    ]) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({
          alg: 'ES256',
          typ: 'idt+jwt',
          ...(kid && { kid }),
          ...tricks,
        } as never)
        .sign(privateKey)
      expect(await here(forged)).toBe(401)
    }
    const parts = token.split('.')
    for (const broken of [
      parts.slice(0, 2).join('.'),
      [...parts, 'x'].join('.'),
      `${parts[0]}..${parts[2]}`,
      token.slice(0, -2),
      'a'.repeat(60_000),
    ])
      expect([401, 431]).toContain(await here(broken))
  })
})

// Generous timeout: the machine may be busy.
const soon = { timeout: 20_000 }

describe('a new signing key', () => {
  test('leaves tokens of the old and the new key valid on every node', async () => {
    const before = await signIn()
    expect(await there(before)).toBe(200)
    await rotateSigningKey(app.platform.db, app.platform.secret)
    await expect
      .poll(async () => decodeProtectedHeader(await signIn('teacher')).kid, soon)
      .not.toBe(decodeProtectedHeader(before).kid)
    const after = await signIn()
    expect([await here(before), await there(before)]).toEqual([200, 200])
    expect([await here(after), await there(after)]).toEqual([200, 200])
  })

  test('is accepted by another node at once, even during consecutive rotations', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await rotateSigningKey(app.platform.db, app.platform.secret)
      await app.platform.keys.reload()
      expect(await there(await signIn())).toBe(200)
    }
  })

  test('is created after ninety days, and the old key is removed a day later', async () => {
    const { db, secret, keys } = app.platform
    const before = await keyCount()
    await maintainSigningKeys(db, secret)
    expect(await keyCount()).toBe(before)
    const age = (hours: number) =>
      db
        .updateTable('signing_key')
        .set({ created_at: sql`created_at - make_interval(hours => ${hours})` })
        .execute()
    await age(91 * 24)
    // Older keys were replaced longer ago than any token lives; the newest of them stays, and a new one signs.
    await maintainSigningKeys(db, secret)
    expect(await keyCount()).toBe(2)
    await age(25)
    await maintainSigningKeys(db, secret)
    expect(await keyCount()).toBe(1)
    await keys.reload()
    expect(await here(await signIn())).toBe(200)
  })

  test('invalidates all existing tokens if the old key is dropped', async () => {
    const token = await signIn()
    expect(await there(token)).toBe(200)
    await rotateSigningKey(app.platform.db, app.platform.secret, { drop: true })
    await expect.poll(() => here(token), soon).toBe(401)
    await expect.poll(() => there(token), soon).toBe(401)
    const fresh = await signIn()
    expect(await there(fresh)).toBe(200)
  })
  test('invalidates a token even if it was being verified during the rotation', async () => {
    const { db, secret, keys } = app.platform
    const token = await signIn()
    const verify = keys.verify
    vi.spyOn(keys, 'verify').mockImplementationOnce(async (...checked) => {
      const claims = await verify(...checked)
      const reload = vi.spyOn(keys, 'reload')
      await rotateSigningKey(db, secret, { drop: true })
      await vi.waitFor(() => expect(reload).toHaveBeenCalled(), soon)
      await Promise.all(reload.mock.results.map(({ value }) => value))
      return claims
    })
    await here(token)
    expect(await here(token)).toBe(401)
  })

  test('reaches a node that missed the notification', async () => {
    const token = await signIn()
    expect([await here(token), await there(token)]).toEqual([200, 200])
    await app.platform.db.transaction().execute(async (db) => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'atrium-topics'`.execute(db)
    })
    await rotateSigningKey(app.platform.db, app.platform.secret, { drop: true })
    await expect.poll(() => here(token), soon).toBe(401)
    await expect.poll(() => there(token), soon).toBe(401)
  })
})
