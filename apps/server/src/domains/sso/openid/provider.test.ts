import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { post, T } from '@atrium/contract/define'
import { signInSteps } from '@atrium/contract/identity/identity'
import { registry } from '@atrium/contract/sso/registry'
import Fastify from 'fastify'
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { sql } from 'kysely'
import { errors } from 'oidc-provider'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLogouts } from '#domains/sso/registry/logout-worker.ts'
import { answerError } from '#platform/http/answer-error.ts'
import { serve } from '#platform/http/serve.ts'
import { rotateSigningKey } from '#platform/signing-keys.ts'
import { freePort } from '../../../../test/free-port.ts'
import {
  type Caller,
  demoPassword,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { adapterOf } from './adapter.ts'
import { authenticateIntegration } from './integrations.ts'

let app: TestApp
let admin: Caller
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
/** Back-channel logouts received by our services. */
const logouts: URLSearchParams[] = []
/** The keys a service publishes for signing its own requests. */
let ownKeys: { keys: JWK[] } = { keys: [] }
// A timeout, not a measurement: the machine may be busy.
const soon = { timeout: 20_000 }
const service = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (request.url === '/keys')
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(ownKeys))
    logouts.push(new URLSearchParams(body))
    response.end()
  })
})
let serviceOrigin: string
let stopLogouts = async () => {}

beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  serviceOrigin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const port = await freePort()
  node = await openNode(app.url, {
    PORT: String(port),
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${new URL(serviceOrigin).port}`,
  })
  await node.app.listen({ port, host: '127.0.0.1' })
  origin = `http://localhost:${port}`
  const { platform } = node
  stopLogouts = startLogouts(platform).stop
})
afterAll(async () => {
  await stopLogouts()
  await node.app.close()
  await node.platform.close()
  service.close()
})

/** A minimal browser: it keeps cookies by path, and follows redirects only on request. */
function newBrowser(language = 'en') {
  const jar = new Map<string, { value: string; path: string }>()
  async function go(address: string, form?: Record<string, string>) {
    const url = new URL(address, origin)
    const cookie = [...jar]
      .filter(([key]) => key.endsWith(` ${url.host}`))
      .filter(([, { path }]) => path === '/' || `${url.pathname}/`.startsWith(`${path}/`))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie,
        'accept-language': language,
        // As if typed by the member, not opened by a site.
        ...(url.pathname === '/cas/logout' && { 'sec-fetch-site': 'none' }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = '', ...about] = set.split(';')
      const at = pair.indexOf('=')
      const path = /path=([^;]+)/i.exec(about.join(';'))?.[1]?.replace(/(.)\/$/, '$1') ?? '/'
      const key = `${pair.slice(0, at)} ${path} ${url.host}`
      if (/expires=Thu, 01 Jan 1970/i.test(set) || /max-age=0/i.test(set)) jar.delete(key)
      else jar.set(key, { value: pair.slice(at + 1), path })
    }
    const location = answer.headers.get('location')
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      to: location ? new URL(location, url).href : undefined,
    }
  }
  type Page = Awaited<ReturnType<typeof go>>
  /** Follows redirects until a page is shown or they leave the portal. */
  async function follow(address: string, form?: Record<string, string>): Promise<Page> {
    let page = await go(address, form)
    for (let steps = 0; page.to?.startsWith(origin) && steps < 15; steps++) page = await go(page.to)
    return page
  }
  async function signIn(page: Page, username = 'student') {
    expect(page.text).toContain('name="password"')
    return follow('/cas/login', { ...fields(page.text), username, password: demoPassword })
  }
  return { go, follow, signIn }
}
const fields = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )

/** Asserts that the policy allows this script only, by its hash. */
function expectOwnScript({ text, headers }: { text: string; headers: Headers }) {
  const script = /<script>(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  const digest = createHash('sha256').update(script).digest('base64')
  const policy = (headers.get('content-security-policy') ?? '').split(/;\s*/)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`script-src 'sha256-${digest}'`)
}

const callback = () => `${serviceOrigin}/callback`
let made = 0
/** A registered system, and the client its developer would use. */
async function newService(content: object = {}) {
  const code = `service-${++made}`
  const answer = await admin(registry.create, {
    body: {
      code,
      name: '校园地图',
      nameEn: 'Campus map',
      redirectUris: [callback()],
      postLogoutRedirectUris: [`${serviceOrigin}/goodbye`],
      attributes: ['name', 'email'],
      ...content,
    },
  })
  expect(answer.status, JSON.stringify(answer.fields)).toBe(200)
  const { data } = await admin(registry.replaceSecret, { params: { code } })
  await node.platform.topics.flushed()
  const isPublic = 'publicClient' in content
  const config = await client.discovery(
    new URL(`${origin}/cas/oidc`),
    code,
    undefined,
    isPublic ? client.None() : client.ClientSecretPost(data.secret),
    { execute: [client.allowInsecureRequests] },
  )
  return { code, config, secret: data?.secret ?? '' }
}
type Service = Awaited<ReturnType<typeof newService>>

async function request({ config }: Service, extra: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier()
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state-1', expectedNonce: 'nonce-1' }
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback(),
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'state-1',
    nonce: 'nonce-1',
    ...extra,
  })
  return { url: url.href, checks }
}

/** Runs the flow from the service to the tokens, signing in if asked. */
async function signInAt(service: Service, browser = newBrowser(), extra = {}) {
  const { url, checks } = await request(service, extra)
  let page = await browser.follow(url)
  if (!page.to) page = await browser.signIn(page)
  expect(page.to, page.text).toMatch(`${callback()}?code=`)
  const tokens = await client.authorizationCodeGrant(
    service.config,
    new URL(String(page.to)),
    checks,
  )
  return { browser, tokens, to: String(page.to), checks }
}

describe('signing in at a service', () => {
  test('releases only the registered claims, and rotates refresh tokens', async () => {
    const service = await newService()
    const { tokens } = await signInAt(service)
    const claims = tokens.claims()
    const { data: account } = await (await app.as('student'))(signInSteps.accounts)
    const own = account.accounts.find(({ current }) => current)
    expect(claims).toMatchObject({ sub: own?.accountId, aud: service.code })
    expect(claims).not.toHaveProperty('name')
    expect(claims).toMatchObject({
      auth_time: expect.any(Number),
      amr: ['pwd'],
      acr: 'urn:atrium:acr:single-factor',
    })
    const told = await client.fetchUserInfo(
      service.config,
      tokens.access_token,
      String(claims?.sub),
    )
    expect(told).toEqual({
      sub: own?.accountId,
      preferred_username: 'student',
      name: expect.any(String),
      email: expect.stringContaining('@'),
      email_verified: false,
    })
    const renewed = await client.refreshTokenGrant(service.config, String(tokens.refresh_token))
    expect(renewed.access_token).not.toBe(tokens.access_token)
    // The previous token is used up; presenting it again revokes the whole chain.
    await expect(
      client.refreshTokenGrant(service.config, String(tokens.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(
      client.refreshTokenGrant(service.config, String(renewed.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('needs no interaction at the next service, also with prompt=none', async () => {
    const [first, second] = [await newService(), await newService()]
    const { browser } = await signInAt(first)
    const { url } = await request(second)
    expect((await browser.follow(url)).to).toContain('code=')
    const silent = await request(second, { prompt: 'none' })
    expect((await browser.follow(silent.url)).to).toContain('code=')
    const stranger = await newBrowser().follow(silent.url)
    expect(stranger.to).toContain('error=login_required')
  })

  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ max_age: '120' }, false],
    [{ max_age: '30' }, true],
    [{ max_age: '0' }, true],
    [{ prompt: 'login' }, true],
  ])(
    'a member who signed in a minute ago, asked with %j, is asked again: %s',
    async (extra, due) => {
      const service = await newService()
      const browser = newBrowser()
      await browser.signIn(await browser.follow('/cas/login'))
      const { rows } = await sql<{ id: string; at: number }>`
        update session set confirmed_at = now() - interval '1 minute'
        returning id, floor(extract(epoch from confirmed_at))::integer as at`.execute(
        app.platform.db,
      )
      for (const { id } of rows) node.platform.guard.forgetSession(id)
      const page = await browser.follow((await request(service, extra)).url)
      expect(page.text.includes('name="password"')).toBe(due)
      const { tokens } = await signInAt(service, browser, extra)
      const since = Number(tokens.claims()?.auth_time) - Number(rows[0]?.at)
      if (due) expect(since).toBeGreaterThanOrEqual(59)
      else expect(since).toBe(0)
      // The fresh sign-in serves every further request.
      expect((await browser.follow((await request(service)).url)).to).toContain('code=')
    },
  )

  test('supports response_mode=form_post with a script that the CSP allows', async () => {
    const service = await newService()
    const { browser } = await signInAt(service)
    const { url, checks } = await request(service, { response_mode: 'form_post' })
    const page = await browser.follow(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`action="${callback()}"`)
    expectOwnScript(page)
    const came = new Request(callback(), {
      method: 'POST',
      body: new URLSearchParams(fields(page.text)),
    })
    const tokens = await client.authorizationCodeGrant(service.config, came, checks)
    expect(tokens.access_token).toBeTruthy()
  })

  test('works for a public client with PKCE only', async () => {
    const service = await newService({ publicClient: true })
    expect((await signInAt(service)).tokens.access_token).toBeTruthy()
  })

  test('keeps working after a rotation of the signing key', async () => {
    const service = await newService()
    const { tokens } = await signInAt(service)
    await rotateSigningKey(app.platform.db, app.platform.secret)
    await expect
      .poll(async () => {
        const answer = await fetch(`${origin}/cas/oidc/jwks`)
        return ((await answer.json()) as { keys: unknown[] }).keys.length
      })
      .toBeGreaterThan(1)
    await client.fetchUserInfo(service.config, tokens.access_token, String(tokens.claims()?.sub))
    await signInAt(await newService())
  })
})

test('a session of the provider is joined to ours by primary key', async () => {
  const { db } = app.platform
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', 'student')
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (db) => {
    // Enough rows for the planner to prefer the index.
    const { rows: own } = await sql<{ id: string }>`
      insert into session (kind, account_id, expires_at)
      select 'central', ${accountId}::bigint, now() + interval '1 minute' from generate_series(1, 3000)
      returning id`.execute(db)
    await sql`analyze session`.execute(db)
    const countScans = async () => {
      const { rows } = await sql<{ scans: number }>`
        select pg_stat_get_xact_numscans('session_pkey'::regclass)::integer as scans`.execute(db)
      return rows[0]?.scans ?? 0
    }
    const stored = adapterOf({ ...app.platform, db }, errors)('Session')
    const uid = own[0]?.id ?? ''
    await stored.upsert('of the member', { uid, accountId }, 60)
    await stored.upsert('of another system', { uid: 'not-a-uuid', accountId }, 60)
    await stored.upsert('anonymous', { uid: 'not-a-uuid' }, 60)
    const before = await countScans()
    expect(await stored.find('of the member')).toMatchObject({ uid, accountId })
    expect(await countScans()).toBeGreaterThan(before)
    expect(await stored.find('of another system')).toBeUndefined()
    expect(await stored.find('anonymous')).toMatchObject({ uid: 'not-a-uuid' })
    await sql`delete from session where id = any(${own.map(({ id }) => id)}::uuid[])`.execute(db)
  })
})

describe('consent', () => {
  const asking = {
    consentNeeded: true,
    purpose: '显示你的位置',
    purposeEn: 'To show where you are',
  }

  test('is requested once with data and purpose, and can be declined or revoked', async () => {
    const service = await newService(asking)
    const browser = newBrowser()
    const { url, checks } = await request(service)
    const page = await browser.signIn(await browser.follow(url))
    expect(page.text).toContain('Campus map needs your permission')
    expect(page.text).toContain('To show where you are')
    expect(page.text).toContain('Mail address')
    expect(page.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${serviceOrigin}`,
    )
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const declined = await browser.follow(action, { ...fields(page.text), decision: 'no' })
    expect(declined.to).toContain('error=access_denied')

    const second = await browser.follow(url)
    const to = /action="([^"]+)"/.exec(second.text)?.[1] ?? ''
    // A forged form shows the question again and grants nothing.
    const forged = await browser.follow(to, { lt: 'made-up', decision: 'go' })
    expect(forged.text).toContain('needs your permission')
    const agreed = await browser.follow(to, { ...fields(forged.text), decision: 'go' })
    const tokens = await client.authorizationCodeGrant(
      service.config,
      new URL(String(agreed.to)),
      checks,
    )
    expect((await browser.follow((await request(service)).url)).to).toContain('code=')

    await app.platform.db.deleteFrom('consent').execute()
    await expect(
      client.fetchUserInfo(service.config, tokens.access_token, String(tokens.claims()?.sub)),
    ).rejects.toThrow()
    await expect(
      client.refreshTokenGrant(service.config, String(tokens.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    const silent = await browser.follow((await request(service, { prompt: 'none' })).url)
    expect(silent.to).toContain('error=consent_required')
  })

  test.each([
    ['has to ask', asking],
    ['need not ask', {}],
  ])('of a system that %s is requested again only with prompt=consent', async (_, content) => {
    const service = await newService(content)
    const browser = newBrowser()
    const agree = async (page: { text: string }) => {
      expect(page.text).toContain('Campus map needs your permission')
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
      return browser.follow(action, { ...fields(page.text), decision: 'go' })
    }
    let page = await browser.signIn(await browser.follow((await request(service)).url))
    if (content === asking) page = await agree(page)
    expect(page.to).toContain('code=')
    expect((await browser.follow((await request(service)).url)).to).toContain('code=')
    const { url, checks } = await request(service, { prompt: 'consent' })
    const came = new URL(String((await agree(await browser.follow(url))).to))
    const tokens = await client.authorizationCodeGrant(service.config, came, checks)
    expect(tokens.access_token).toBeTruthy()
    expect((await browser.follow((await request(service)).url)).to).toContain('code=')
  })
})

describe('logout', () => {
  test('asks first, then notifies the service and invalidates its tokens', async () => {
    const service = await newService({ backchannelLogoutUrl: `${serviceOrigin}/logout` })
    const { browser, tokens } = await signInAt(service)
    const page = await browser.follow(
      client.buildEndSessionUrl(service.config, {
        post_logout_redirect_uri: `${serviceOrigin}/goodbye`,
        id_token_hint: String(tokens.id_token),
        state: 'bye',
      }).href,
    )
    expect(page.text).toContain('Sign out everywhere?')
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const end = await browser.follow(action, { xsrf, logout: 'yes' })
    expect(end.to).toBe(`${serviceOrigin}/goodbye?state=bye`)
    expect((await browser.follow('/cas/login')).text).toContain('name="password"')
    const { url } = await request(service, { prompt: 'none' })
    expect((await browser.follow(url)).to).toContain('error=login_required')
    await expect(
      client.refreshTokenGrant(service.config, String(tokens.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect.poll(() => logouts.length, { timeout: 20_000 }).toBeGreaterThan(0)
    const token = String(logouts.at(-1)?.get('logout_token'))
    const { payload, protectedHeader } = await jwtVerify(
      token,
      createRemoteJWKSet(new URL(`${origin}/cas/oidc/jwks`)),
      { issuer: `${origin}/cas/oidc`, audience: service.code, algorithms: ['ES256'] },
    )
    expect(protectedHeader.typ).toBe('logout+jwt')
    expect(payload).toMatchObject({
      sid: tokens.claims()?.sid,
      sub: tokens.claims()?.sub,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
  })

  test('continues without a question when nobody is signed in', async () => {
    const service = await newService()
    const { tokens } = await signInAt(service)
    const browser = newBrowser()
    const page = await browser.follow(
      client.buildEndSessionUrl(service.config, {
        post_logout_redirect_uri: `${serviceOrigin}/goodbye`,
        id_token_hint: String(tokens.id_token),
      }).href,
    )
    expectOwnScript(page)
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const end = await browser.follow(action, fields(page.text))
    expect(end.to).toBe(`${serviceOrigin}/goodbye`)
  })

  test('by the central logout also notifies the service and invalidates its tokens', async () => {
    const service = await newService({ backchannelLogoutUrl: `${serviceOrigin}/logout` })
    const before = logouts.length
    const { browser, tokens } = await signInAt(service)
    await browser.follow('/cas/logout')
    await expect(
      client.refreshTokenGrant(service.config, String(tokens.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect.poll(() => logouts.length, { timeout: 20_000 }).toBe(before + 1)
  })
})

describe('attacks', () => {
  // The provider also accepts these spellings.
  test.each(['/cas/oidc/AUTH', '/cas/oidc/auth/'])(
    'the spelling %s also uses the current central session',
    async (spelling) => {
      const service = await newService()
      const { browser } = await signInAt(service)
      await browser.follow('/cas/logout')
      await browser.signIn(await browser.follow('/cas/login'))
      const { url } = await request(service, { prompt: 'none' })
      const page = await browser.follow(url.replace('/cas/oidc/auth', spelling))
      expect(page.to).toContain('code=')
    },
  )

  test.each([
    ['https://evil.example/callback'],
    ['//evil.example'],
    ['http://127.0.0.1/callback'],
    ['{callback}/'],
    ['{callback}?next=//evil.example'],
    ['{callback}/../evil'],
    ['javascript:alert(1)'],
  ])('rejects the redirect URI %s', async (address) => {
    const service = await newService()
    const uri = address.replace('{callback}', callback())
    const page = await newBrowser().follow((await request(service, { redirect_uri: uri })).url)
    expect(page.to).toBeUndefined()
    expect(page.status).toBe(400)
    expect(page.text).toContain('invalid or has expired')
    expect(page.text).not.toContain('evil.example')
  })

  test('a code is valid once, for its own client and code verifier', async () => {
    const [service, other] = [await newService(), await newService()]
    const browser = newBrowser()
    await signInAt(service, browser)
    const codeOf = async () => {
      const { url, checks } = await request(service)
      return { to: new URL(String((await browser.follow(url)).to)), checks }
    }
    const replayed = await codeOf()
    const tokens = await client.authorizationCodeGrant(service.config, replayed.to, replayed.checks)
    await expect(
      client.authorizationCodeGrant(service.config, replayed.to, replayed.checks),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    // A code used twice may be stolen, so the first tokens are revoked too.
    await expect(
      client.fetchUserInfo(service.config, tokens.access_token, String(tokens.claims()?.sub)),
    ).rejects.toThrow()

    const stolen = await codeOf()
    await expect(
      client.authorizationCodeGrant(other.config, stolen.to, stolen.checks),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    const unproven = await codeOf()
    await expect(
      client.authorizationCodeGrant(service.config, unproven.to, {
        ...unproven.checks,
        pkceCodeVerifier: client.randomPKCECodeVerifier(),
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('ten concurrent uses of one code yield exactly one set of tokens', async () => {
    const service = await newService()
    const browser = newBrowser()
    await signInAt(service, browser)
    const { url, checks } = await request(service)
    const to = new URL(String((await browser.follow(url)).to))
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.authorizationCodeGrant(service.config, to, checks)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ error: 'invalid_grant' })
  })

  test('rejects a wrong secret, an unknown client and a disabled client', async () => {
    const service = await newService()
    const { tokens } = await signInAt(service)
    const ask = async (clientId: string, secret: string) =>
      (
        await fetch(`${origin}/cas/oidc/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: String(tokens.refresh_token),
            client_id: clientId,
            client_secret: secret,
          }),
        })
      ).status
    expect(await ask(service.code, 'wrong')).toBe(401)
    expect(await ask('nobody', service.secret)).toBe(401)
    await admin(registry.update, {
      params: { code: service.code },
      body: { name: 'x', redirectUris: [callback()], enabled: false },
    })
    await node.platform.topics.flushed()
    await expect.poll(() => ask(service.code, service.secret)).toBe(401)
    const page = await newBrowser().follow((await request(service)).url)
    expect(page.to).toBeUndefined()
  })

  test('rejects a request without PKCE', async () => {
    const service = await newService()
    const url = new URL((await request(service)).url)
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    expect((await newBrowser().follow(url.href)).to).toContain('error=invalid_request')
  })

  test.each(['state', 'nonce', 'login_hint', 'ui_locales'])(
    'rejects a NUL character in %s as an invalid request',
    async (name) => {
      const page = await newBrowser().follow(
        (await request(await newService(), { [name]: 'a\0' })).url,
      )
      const to = page.to && new URL(page.to).searchParams.get('error')
      expect(to ?? page.text).toContain('invalid_request')
      expect(page.status).toBeLessThan(500)
    },
  )

  test('a consent page cannot be submitted by another browser', async () => {
    const service = await newService({
      consentNeeded: true,
      purpose: '显示你的位置',
    })
    const mine = newBrowser()
    const { url } = await request(service)
    const page = await mine.signIn(await mine.follow(url))
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const theirs = newBrowser()
    await signInAt(await newService(), theirs)
    const answer = await theirs.follow(action, { ...fields(page.text), decision: 'go' })
    expect(answer).toMatchObject({ status: 400, to: undefined })
  })

  test.each([
    '/.well-known/oauth-authorization-server/cas/oidc',
    '/.well-known/openid-configuration/cas/oidc',
    '/cas/oidc/.well-known/oauth-authorization-server',
  ])('the metadata is served at %s', async (address) => {
    const answer = await fetch(origin + address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({
      issuer: `${origin}/cas/oidc`,
      token_endpoint: `${origin}/cas/oidc/token`,
      introspection_endpoint: `${origin}/cas/oidc/token/introspection`,
    })
  })

  test('the metadata ignores forged Host headers', async () => {
    const answer = await fetch(`${origin}/cas/oidc/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    })
    const text = await answer.text()
    expect(text).not.toContain('evil.example')
    expect(JSON.parse(text)).toMatchObject({
      issuer: `${origin}/cas/oidc`,
      code_challenge_methods_supported: ['S256'],
    })
  })
})

describe('client registration options', () => {
  test('RS256 tokens are signed with keys that rotate', async () => {
    const metadata = await fetch(`${origin}/cas/oidc/.well-known/openid-configuration`)
    expect(await metadata.json()).toMatchObject({
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    })
    const service = await newService({
      idTokenAlg: 'RS256',
      backchannelLogoutUrl: `${serviceOrigin}/logout`,
    })
    const { browser, tokens } = await signInAt(service)
    const before = decodeProtectedHeader(String(tokens.id_token))
    expect(before.alg).toBe('RS256')
    await rotateSigningKey(app.platform.db, app.platform.secret)
    // Fetched before the node learns of the new key, they would be kept for half a minute.
    const address = new URL(`${origin}/cas/oidc/jwks`)
    const keys = createRemoteJWKSet(address, { cooldownDuration: 0 })
    await expect
      .poll(async () => {
        const again = await signInAt(service, browser)
        const { payload, protectedHeader } = await jwtVerify(String(again.tokens.id_token), keys, {
          algorithms: ['RS256'],
        })
        return payload.sub === tokens.claims()?.sub && protectedHeader.kid
      }, soon)
      .not.toBe(before.kid)
    // Our own tokens are ES256; their verifiers need no other keys.
    const own = (await (await fetch(`${origin}/token/jwt/jwks`)).json()) as { keys: JWK[] }
    expect(own.keys.map(({ alg }) => alg)).not.toContain('RS256')

    const told = logouts.length
    await browser.follow('/cas/logout')
    await expect.poll(() => logouts.length, soon).toBeGreaterThan(told)
    const logout = String(logouts.at(-1)?.get('logout_token'))
    await jwtVerify(logout, keys, { algorithms: ['RS256'], audience: service.code })
  })

  test('private_key_jwt replaces the secret, and each assertion is accepted once', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const other = await generateKeyPair('ES256')
    const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
    ownKeys = { keys: [key] }
    for (const content of [
      { jwks: JSON.stringify({ keys: [key] }) },
      { jwksUrl: `${serviceOrigin}/keys` },
    ]) {
      const service = await newService(content)
      const by = (chosen: CryptoKey) =>
        client.discovery(
          new URL(`${origin}/cas/oidc`),
          service.code,
          undefined,
          client.PrivateKeyJwt({ key: chosen, kid: 'k1' }),
          { execute: [client.allowInsecureRequests] },
        )
      const mine = { ...service, config: await by(privateKey) }
      const { tokens } = await signInAt(mine)
      const renew = String(tokens.refresh_token)
      await expect(
        client.refreshTokenGrant(await by(other.privateKey), renew),
      ).rejects.toMatchObject({ error: 'invalid_client' })
      // Its secret is not accepted either.
      await expect(client.refreshTokenGrant(service.config, renew)).rejects.toMatchObject({
        error: 'invalid_client',
      })
      const assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(service.code)
        .setSubject(service.code)
        .setAudience(`${origin}/cas/oidc`)
        .setIssuedAt()
        .setExpirationTime('60s')
        .sign(privateKey)
      const introspect = () =>
        fetch(`${origin}/cas/oidc/token/introspection`, {
          method: 'POST',
          body: new URLSearchParams({
            token: tokens.access_token,
            client_assertion: assertion,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          }),
        })
      expect((await introspect()).status).toBe(200)
      expect((await introspect()).status).toBe(401)
    }
  })

  test('introspection describes only the client’s own valid tokens', async () => {
    const [service, other] = [await newService(), await newService()]
    const { browser, tokens } = await signInAt(service)
    expect(await client.tokenIntrospection(service.config, tokens.access_token)).toMatchObject({
      active: true,
      client_id: service.code,
      sub: tokens.claims()?.sub,
      scope: 'openid profile email',
    })
    const none = { active: false }
    expect(await client.tokenIntrospection(other.config, tokens.access_token)).toEqual(none)
    expect(await client.tokenIntrospection(service.config, 'made-up')).toEqual(none)
    await browser.follow('/cas/logout')
    for (const token of [tokens.access_token, String(tokens.refresh_token)])
      expect(await client.tokenIntrospection(service.config, token)).toEqual(none)
    const open = await newService({ publicClient: true })
    const mine = await signInAt(open)
    expect(await client.tokenIntrospection(open.config, mine.tokens.access_token)).toEqual(none)
  })

  test('a pairwise subject replaces the account id in every token', async () => {
    const pairwise = { pairwise: true, backchannelLogoutUrl: `${serviceOrigin}/logout` }
    const [service, same] = [await newService(pairwise), await newService({ pairwise: true })]
    const known = (await signInAt(await newService())).tokens.claims()?.sub
    const { browser, tokens } = await signInAt(service)
    const sub = String(tokens.claims()?.sub)
    expect(sub).toMatch(/^[\w-]{32}$/)
    expect(sub).not.toBe(known)
    const told = await client.fetchUserInfo(service.config, tokens.access_token, sub)
    expect(told).toEqual({
      sub,
      name: '林知夏',
      email: expect.any(String),
      email_verified: expect.any(Boolean),
    })
    expect(await client.tokenIntrospection(service.config, tokens.access_token)).toMatchObject({
      sub,
    })
    // The same sub within one host, as the standard requires.
    expect((await signInAt(same, browser)).tokens.claims()?.sub).toBe(sub)
    const before = logouts.length
    await browser.follow('/cas/logout')
    await expect.poll(() => logouts.length, soon).toBeGreaterThan(before)
    expect(decodeJwt(String(logouts.at(-1)?.get('logout_token'))).sub).toBe(sub)
  })

  test('offline access outlasts the session until the member revokes consent', async () => {
    const asking = { consentNeeded: true, purpose: '同步日程', purposeEn: 'To keep in step' }
    const service = await newService({ ...asking, offlineAccess: true })
    const scope = 'openid profile offline_access'
    const agree = async (browser = newBrowser()) => {
      const { url, checks } = await request(service, { scope, prompt: 'consent' })
      let page = await browser.follow(url)
      if (page.text.includes('name="password"')) page = await browser.signIn(page)
      expect(page.text).toContain('after you sign out')
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const agreed = await browser.follow(action, { ...fields(page.text), decision: 'go' })
      const came = new URL(String(agreed.to))
      return { browser, tokens: await client.authorizationCodeGrant(service.config, came, checks) }
    }
    const { browser, tokens } = await agree()
    expect(tokens.scope?.split(' ')).toContain('offline_access')
    await browser.follow('/cas/logout')
    const renewed = await client.refreshTokenGrant(service.config, String(tokens.refresh_token))
    const me = String(tokens.claims()?.sub)
    expect((await client.fetchUserInfo(service.config, renewed.access_token, me)).sub).toBe(me)

    await app.platform.db.deleteFrom('consent').execute()
    const refused = { error: 'invalid_grant' }
    const last = String(renewed.refresh_token)
    await expect(client.refreshTokenGrant(service.config, last)).rejects.toMatchObject(refused)
    // A new consent does not restore tokens revoked with the old one.
    await sql`insert into consent (account_id, relying_party_id, attributes, given_at)
      select ${me}::bigint, id, attributes, now() + interval '2 seconds' from relying_party where code = ${service.code}`.execute(
      app.platform.db,
    )
    await expect(client.refreshTokenGrant(service.config, last)).rejects.toMatchObject(refused)
  })

  test('offline access is not granted unless registered', async () => {
    const service = await newService()
    const scope = 'openid offline_access'
    const { browser, tokens } = await signInAt(service, newBrowser(), { scope })
    expect(tokens.scope).toBe('openid')
    await browser.follow('/cas/logout')
    await expect(
      client.refreshTokenGrant(service.config, String(tokens.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test.each([
    [{ jwks: '{"keys":[]}' }, 'jwks'],
    [{ jwks: '{"keys":[{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"c"}]}' }, 'jwks'],
    [{ jwksUrl: 'http://keys.example.edu/' }, 'jwksUrl'],
    [{ publicClient: true, integrations: ['message'] }, 'publicClient'],
    [{ offlineAccess: true }, 'consentNeeded'],
    [{ pairwise: true, attributes: ['accountId'] }, 'attributes'],
    [
      { pairwise: true, redirectUris: ['https://a.example.edu/', 'https://b.example.edu/'] },
      'redirectUris',
    ],
  ])('conflicting options are rejected: %j', async (content, field) => {
    const body = { code: 'wrong', name: 'x', redirectUris: ['https://a.example.edu/'], ...content }
    const refused = await admin(registry.create, { body })
    expect(refused).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(refused.fields ?? {})).toEqual([field])
  })
})

describe('integration API calls', () => {
  const integration = {
    write: post('/message/api/v1/probe', {
      summary: 'for this test',
      access: 'integration',
      reply: T.Object({ integrator: T.String() }),
    }),
  }
  const newIntegrator = (content: object = {}) =>
    newService({
      redirectUris: [],
      postLogoutRedirectUris: [],
      integrations: ['message'],
      ...content,
    })
  const resource = (mount: string) => ({ resource: `${origin}/${mount}` })
  async function call(token: string | undefined) {
    const api = Fastify()
    api.setErrorHandler(answerError)
    serve(api, { platform: node.platform, authenticateIntegration }, integration, {
      write: async ({ request }) => ({ integrator: request.integrator ?? '' }),
    })
    const answer = await api.inject({
      method: 'POST',
      url: integration.write.path,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    await api.close()
    return { status: answer.statusCode, ...answer.json() }
  }

  test('require a token for the called part of the API', async () => {
    const service = await newIntegrator({ integrations: ['message', 'schedule'] })
    const token = async (mount: string) =>
      (await client.clientCredentialsGrant(service.config, resource(mount))).access_token
    const good = await token('message')
    expect(decodeProtectedHeader(good)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(decodeJwt(good)).toMatchObject({
      iss: `${origin}/cas/oidc`,
      aud: `${origin}/message`,
      sub: service.code,
      client_id: service.code,
    })
    expect(await call(good)).toMatchObject({ status: 200, data: { integrator: service.code } })
    expect(await call(await token('schedule'))).toMatchObject({ status: 401 })
    expect(await call(undefined)).toMatchObject({ status: 401, error: 'session.required' })
    expect(await call(`${good.slice(0, -2)}AA`)).toMatchObject({ status: 401 })
    for (const wrong of [resource('transaction'), { resource: 'https://elsewhere.example/' }, {}])
      await expect(
        client.clientCredentialsGrant(service.config, wrong as Record<string, string>),
      ).rejects.toMatchObject({ error: 'invalid_target' })

    await admin(registry.update, {
      params: { code: service.code },
      body: { name: 'x', integrations: ['schedule'] },
    })
    await node.platform.topics.flushed()
    await expect.poll(async () => (await call(good)).status, soon).toBe(403)
  })

  test('need no resource parameter if only one part is registered', async () => {
    const service = await newIntegrator()
    const { access_token } = await client.clientCredentialsGrant(service.config)
    expect((await call(access_token)).status).toBe(200)
  })

  test('reject the tokens of members', async () => {
    const service = await newService({ integrations: ['message'] })
    const { tokens } = await signInAt(service)
    expect((await call(tokens.access_token)).status).toBe(401)
    expect((await call(await app.tokenOf('admin'))).status).toBe(401)
    const browser = newBrowser()
    await signInAt(service, browser)
    const page = await browser.follow((await request(service, resource('message'))).url)
    expect(page.to).toContain('error=invalid_target')
    const plain = await newService()
    await expect(client.clientCredentialsGrant(plain.config)).rejects.toMatchObject({
      error: 'invalid_request',
    })
  })
})

describe('the example service', () => {
  test('signs a member in and handles back-channel logout', async () => {
    const port = await freePort()
    const home = `http://127.0.0.1:${port}`
    const own = await newService({
      redirectUris: [`${home}/callback`],
      postLogoutRedirectUris: [`${home}/`],
      backchannelLogoutUrl: `${serviceOrigin}/forward`,
    })
    const example = path.join(import.meta.dirname, '../../../../../../examples/openid/service.mjs')
    const child = spawn(process.execPath, [example], {
      env: {
        ...process.env,
        ISSUER: `${origin}/cas/oidc`,
        CLIENT_ID: own.code,
        CLIENT_SECRET: own.secret,
        ORIGIN: home,
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      const browser = newBrowser()
      const before = logouts.length
      const form = await browser.follow(String((await browser.go(home)).to))
      const back = await browser.signIn(form)
      // An answer that another browser asked for, and one with another state, sign nobody in.
      const stranger = newBrowser()
      expect(await stranger.go(String(back.to))).toMatchObject({
        status: 400,
        text: expect.stringContaining('No sign-in was started'),
      })
      await stranger.go(home)
      expect(await stranger.go(String(back.to))).toMatchObject({ status: 400 })
      expect((await stranger.go(home)).to).toContain('/cas/oidc/auth?')
      await browser.go(String(back.to))
      expect((await browser.go(home)).text).toMatch(/^Welcome, .+ \(student\)\.$/)

      await browser.follow('/cas/logout')
      await expect.poll(() => logouts.length, { timeout: 20_000 }).toBe(before + 1)
      const told = { method: 'POST', body: logouts.at(-1) as URLSearchParams }
      const forged = new URLSearchParams({ logout_token: 'made.up.token' })
      expect((await fetch(`${home}/told-logout`, { ...told, body: forged })).status).toBe(400)
      expect((await browser.go(home)).text).toContain('Welcome')
      expect((await fetch(`${home}/told-logout`, told)).status).toBe(200)
      expect((await browser.go(home)).to).toContain('/cas/oidc/auth?')
    } finally {
      child.kill()
    }
  })
})
