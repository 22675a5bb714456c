import { hash } from 'node:crypto'
import { centralLogin } from '@atrium/contract/sso/central-login'
import { consent } from '@atrium/contract/sso/consent'
import { registry } from '@atrium/contract/sso/registry'
import { XMLParser } from 'fast-xml-parser'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { casBrowser, ticketOf, validateTicket } from '../../../../test/cas-browser.ts'
import {
  type Caller,
  declared,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { openTicket, type ServiceTicket, sealTicket, ticketId } from './service-tickets.ts'

const service = 'https://app.example.edu.cn/app/start?from=portal'
const other = 'https://other.example.edu.cn/'
const asking = 'https://asking.example.edu.cn/'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
  const parties = [
    {
      code: 'app',
      name: '应用',
      nameEn: 'Some app',
      addresses: ['https://app.example.edu.cn/app'],
      attributes: ['name', 'identityType', 'organization', 'groups'],
      logoutUrl: 'https://app.example.edu.cn/app/logout',
    },
    { code: 'other', name: '别的', nameEn: 'Another', addresses: [other] },
    {
      code: 'asking',
      name: '询问',
      nameEn: 'Asking <b>service</b>',
      addresses: [asking],
      attributes: ['name', 'mobile'],
      purpose: '联系你',
      purposeEn: 'To reach you',
      consentNeeded: true,
    },
  ]
  for (const body of parties) expect((await admin(registry.create, { body })).status).toBe(200)
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('login_throttle').execute()
})

const browser = () => casBrowser(app.app)
const ticketFor = async (target = service) => ticketOf(await browser().signIn({ service: target }))
const validate = (
  query: Record<string, string | string[]>,
  how?: Parameters<typeof validateTicket>[2],
) => validateTicket(app.app, query, how)

describe('a service ticket', () => {
  test('returns the user, the mandatory attributes and then the registered ones', async () => {
    const ticket = await ticketFor()
    // Every client accepts 256 characters (CAS protocol 3.0, 3.1.1).
    expect(ticket).toMatch(/^ST-[a-z0-9]{40,250}$/)
    const answer = await validate({ service, ticket })
    expect(answer).toMatchObject({ status: 200, user: 'student' })
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(answer.body)
    const { attributes } = withoutPrefix(parsed).serviceResponse.authenticationSuccess
    expect(Object.keys(attributes)).toEqual([
      'authenticationDate',
      'longTermAuthenticationRequestTokenUsed',
      'isFromNewLogin',
      'name',
      'identityTypeCode',
      'identityTypeName',
      'organizationCode',
      'organizationName',
      'groups',
    ])
    expect(attributes).toMatchObject({
      longTermAuthenticationRequestTokenUsed: false,
      isFromNewLogin: true,
      name: '林知夏',
    })
    expect(Date.now() - Date.parse(attributes.authenticationDate)).toBeLessThan(60_000)
    expect(answer.body).not.toContain('mobile')
  })

  test('can also be validated in JSON and in the text format of CAS 1.0', async () => {
    const json = await validate({ service, ticket: await ticketFor(), format: 'json' })
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    const { user, attributes } = JSON.parse(json.body).serviceResponse.authenticationSuccess
    expect(user).toBe('student')
    expect(Object.keys(attributes).slice(0, 3)).toEqual([
      'authenticationDate',
      'longTermAuthenticationRequestTokenUsed',
      'isFromNewLogin',
    ])
    expect(attributes.groups).toEqual(expect.arrayContaining([expect.any(String)]))

    const text = await validate({ service, ticket: await ticketFor() }, 'validate')
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.body).toBe('yes\nstudent\n')
    const no = await validate({ service, ticket: 'ST-'.padEnd(40, 'x') }, 'validate')
    expect(no).toMatchObject({ status: 200, body: 'no\n\n' })
    const bad = await validate({ service, ticket: 'ST-'.padEnd(40, 'x'), format: 'JSON' })
    expect(JSON.parse(bad.body).serviceResponse.authenticationFailure.code).toBe('INVALID_TICKET')
  })

  test('is opaque, not readable from its stored record, and valid for a minute', async () => {
    const { db, secret } = app.platform
    const ticket = await ticketFor()
    const opened = openTicket(secret, ticket)
    expect(opened).toMatchObject({ newLogin: true })
    expect(Buffer.from(ticket.slice(3), 'hex').toString('latin1')).not.toContain(opened?.sessionId)
    await validate({ service, ticket })
    const used = await db.selectFrom('relying_party_session').selectAll().execute()
    expect(used.map(({ id }) => id)).toContain(ticketId(ticket, opened as ServiceTicket))
    expect(JSON.stringify(used)).not.toContain(ticket.slice(3))

    const givenAt = Math.floor(Date.now() / 1000)
    const aged = (seconds: number) =>
      sealTicket(secret, { ...(opened as ServiceTicket), givenAt: givenAt - seconds })
    expect((await validate({ service, ticket: aged(61) })).failure).toBe('INVALID_TICKET')
    expect((await validate({ service, ticket: aged(50) })).user).toBe('student')
  })

  test('cannot be modified or made from other encrypted data', async () => {
    const ticket = await ticketFor()
    const { secret } = app.platform
    const { sessionId } = openTicket(secret, ticket) as ServiceTicket
    const sealed = Buffer.from(secret.encrypt(`${sessionId} 1 x 1 zzzzzz`), 'base64url')
    const changed = `${ticket.slice(0, -1)}${ticket.endsWith('0') ? '1' : '0'}`
    for (const forged of [
      `ST-${sealed.toString('hex')}`,
      changed,
      `${ticket}0`,
      ticket.toUpperCase(),
    ])
      expect((await validate({ service, ticket: forged })).failure).toBe('INVALID_TICKET')
    expect((await validate({ service, ticket })).user).toBe('student')
  })

  test('is valid once, even when validated concurrently', async () => {
    const ticket = await ticketFor()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        validate({ service, ticket }, n % 2 ? 'serviceValidate' : 'p3ServiceValidate'),
      ),
    )
    expect(answers.filter(({ user }) => user === 'student')).toHaveLength(1)
    expect(answers.filter(({ failure }) => failure === 'INVALID_TICKET')).toHaveLength(11)
    expect((await validate({ service, ticket })).failure).toBe('INVALID_TICKET')
  })

  test('is valid once when validated concurrently on two nodes', async () => {
    const second = await openNode(app.url)
    try {
      const tickets = [await ticketFor(), await ticketFor(), await ticketFor()]
      const answers = await Promise.all(
        tickets.flatMap((ticket) =>
          [app.app, second.app].flatMap((node) => [
            validateTicket(node, { service, ticket }),
            validateTicket(node, { service, ticket }),
          ]),
        ),
      )
      for (const first of [0, 4, 8])
        expect(
          answers.slice(first, first + 4).filter(({ user }) => user === 'student'),
        ).toHaveLength(1)
    } finally {
      await second.app.close()
      await second.platform.close()
    }
  })

  test.each([
    ['another service', other],
    ['another page of its own service', 'https://app.example.edu.cn/app/other'],
    ['an unregistered service', 'https://evil.example/'],
    ['an invalid address', 'not an address'],
  ])('is invalidated when presented by %s', async (_, thief) => {
    const ticket = await ticketFor()
    expect((await validate({ service: thief, ticket })).failure).toBe('INVALID_SERVICE')
    expect((await validate({ service, ticket })).failure).toBe('INVALID_TICKET')
  })

  test('is accepted for an equivalent spelling of its service', async () => {
    const ticket = await ticketFor()
    const written = 'https://APP.example.edu.cn:443/app/start?from=portal&ticket=ST-1#top'
    expect((await validate({ service: written, ticket })).user).toBe('student')
  })

  const nobodys = 'ST-'.padEnd(40, 'a')
  test.each([
    ['no parameters', {}, 'INVALID_REQUEST'],
    ['no ticket', { service }, 'INVALID_REQUEST'],
    ['no service', { ticket: nobodys }, 'INVALID_REQUEST'],
    ['a proxy ticket', { service, ticket: 'PT-'.padEnd(40, 'a') }, 'INVALID_TICKET_SPEC'],
    ['a malformed ticket', { service, ticket: '"><script>' }, 'INVALID_TICKET_SPEC'],
    ['an overlong ticket', { service, ticket: 'ST-'.padEnd(4000, 'a') }, 'INVALID_TICKET_SPEC'],
    ['an unknown ticket', { service, ticket: nobodys }, 'INVALID_TICKET'],
    ['a repeated service', { service: [service, service], ticket: 'ST-1' }, 'INVALID_REQUEST'],
    [
      'an overlong service',
      { service: `${service}?${'a'.repeat(9000)}`, ticket: nobodys },
      'INVALID_TICKET',
    ],
    ['an unknown format', { service, ticket: nobodys, format: 'YAML' }, 'INVALID_REQUEST'],
  ])('validation with %s returns status 200 and an error code', async (_, query, failure) => {
    expect(await validate(query)).toMatchObject({ status: 200, failure })
  })

  test('is rejected and used up when a proxy ticket is requested', async () => {
    const ticket = await ticketFor()
    const asked = await validate({ service, ticket, pgtUrl: 'https://app.example.edu.cn/pgt' })
    expect(asked.failure).toBe('UNAUTHORIZED_SERVICE_PROXY')
    expect((await validate({ service, ticket })).failure).toBe('INVALID_TICKET')
  })

  test('for the portal itself cannot be validated by services, and stays valid', async () => {
    const own = `${app.platform.origin()}/page/index/index`
    const jwt = ticketOf(await browser().signIn({ service: own }))
    const id = String(decodeJwt(jwt).jti)
    expect((await validate({ service: own, ticket: jwt })).failure).toBe('INVALID_TICKET_SPEC')
    expect((await validate({ service: own, ticket: id })).failure).toBe('INVALID_TICKET')
    const left = await app.app.inject({
      method: 'POST',
      url: '/token/login/ticket',
      payload: { ticket: jwt, service: own },
    })
    expect(left.statusCode).toBe(200)
  })

  test('is invalid once its session has ended', async () => {
    const visitor = browser()
    const ticket = ticketOf(await visitor.signIn({ service }))
    await visitor.logout()
    expect((await validate({ service, ticket })).failure).toBe('INVALID_TICKET')
  })

  test('reports whether the login is new, which renew requires', async () => {
    const visitor = browser()
    const first = ticketOf(await visitor.signIn({ service, renew: 'true' }))
    expect((await validate({ service, ticket: first, renew: 'true' })).user).toBe('student')
    const quiet = ticketOf(await visitor.open({ service }))
    expect((await validate({ service, ticket: quiet, renew: 'true' })).failure).toBe(
      'INVALID_TICKET',
    )
    const again = await validate({ service, ticket: ticketOf(await visitor.open({ service })) })
    expect(again.body).toContain('<cas:isFromNewLogin>false<')
  })

  test.each(['<b>&"\'</cas:name>', ']]><!--', '\u0001\uffff\ud800x', '&lt;&#60;', 'a\r\nb'])(
    'returns escaped attributes: %j',
    async (name) => {
      const { db } = app.platform
      const account = await findAccountByUsername(db, 'teacher')
      const id = account?.personId ?? ''
      const stored = name.replaceAll('\ud800', '')
      const was = await db
        .selectFrom('person')
        .select('name')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await db.updateTable('person').set({ name: stored }).where('id', '=', id).execute()
      const ticket = ticketOf(await browser().signIn({ service }, { username: 'teacher' }))
      const { body } = await validate({ service, ticket })
      await db.updateTable('person').set(was).where('id', '=', id).execute()
      const parsed = new XMLParser({ htmlEntities: true, trimValues: false }).parse(body)
      const told = withoutPrefix(parsed).serviceResponse.authenticationSuccess.attributes
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot hold
      expect(told.name).toBe(stored.replaceAll(/[\u0001\uffff]/g, ''))
    },
  )
})

describe('the login page', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '///evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://app.example.edu.cn@evil.example/app',
    'https://evil.example\\@app.example.edu.cn/app',
    'https://evil.example#@app.example.edu.cn/app',
    'https://app.example.edu.cn.evil.example/app',
    'https://app.example.edu.cn%2eevil.example/app',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.example.edu.cn/apple',
    'https://app.example.edu.cn/app/../admin',
    'https://app.example.edu.cn/app%2f..%2fadmin',
    'http://app.example.edu.cn/app',
    'https://app.example.edu.cn:444/app',
    'https://user@app.example.edu.cn/app',
    '',
    ' https://app.example.edu.cn/app',
  ])('never redirects to %j, signed in or not', async (hostile) => {
    const visitor = browser()
    await visitor.signIn()
    const ways: Record<string, string>[] = [{}, { gateway: 'true' }, { renew: 'true' }]
    for (const query of ways)
      for (const who of [visitor, browser()]) {
        const page = await who.open({ service: hostile, ...query })
        expect(page.statusCode).toBe(403)
        expect(page.headers.location).toBeUndefined()
        expect(page.headers['content-security-policy']).not.toContain('evil')
      }
    const out = await visitor.logout({ service: hostile })
    expect(out.headers.location).toBeUndefined()
    expect(out.statusCode).toBe(200)
  })

  test('redirects to the normalised service address', async () => {
    const done = await browser().signIn({ service: 'https://ＡPP.example.edu.cn:443/app/x#top' })
    expect(done.headers.location).toMatch(/^https:\/\/app\.example\.edu\.cn\/app\/x\?ticket=ST-/)
  })

  test.each([
    '?q=%D6%D0%B9%FA',
    '?flag&x=a%20b+c~(1)*',
    '?q=%E4%B8%AD&&r=%zz',
    '?x=1;y=2&z=https://x.example/?a=b',
  ])('keeps the query of a service address unchanged: %s', async (search) => {
    const target = `https://app.example.edu.cn/app/find${search}`
    const visitor = browser()
    const done = await visitor.signIn({ service: `${target}&ticket=ST-old&%74icket=ST-older` })
    const ticket = ticketOf(done)
    expect(done.headers.location).toBe(`${target}&ticket=${ticket}`)
    expect((await validate({ service: target, ticket })).user).toBe('student')
    const posted = await visitor.open({ service: target, method: 'POST' })
    expect(posted.body).toContain(`action="${target.replaceAll('&', '&amp;')}"`)
    // A system may escape the address differently when it validates.
    const again = ticketOf(await visitor.open({ service: target }))
    const url = new URL(target)
    url.searchParams.delete('ticket')
    expect((await validate({ service: url.href, ticket: again })).user).toBe('student')
  })

  test('names the service and limits form-action to it', async () => {
    const page = await browser().open({ service })
    expect(page.body).toContain('Some app')
    expect(page.headers['content-security-policy']).toContain(
      "form-action 'self' https://app.example.edu.cn;",
    )
    const plain = await browser().open()
    expect(plain.headers['content-security-policy']).toContain("form-action 'self';")
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('rejects a disabled service, whose tickets are invalid', async () => {
    const made = { name: 'x', addresses: ['https://off.example.edu.cn/'] }
    await admin(registry.create, { body: { code: 'off', ...made } })
    const target = 'https://off.example.edu.cn/'
    const ticket = await ticketFor(target)
    await admin(registry.update, { params: { code: 'off' }, body: { ...made, enabled: false } })
    expect((await validate({ service: target, ticket })).failure).toBe('INVALID_SERVICE')
    expect((await browser().open({ service: target })).statusCode).toBe(403)
  })

  test('does not prompt with gateway, unless renew is set', async () => {
    const stranger = await browser().open({ service, gateway: 'true' })
    expect([stranger.statusCode, stranger.headers.location]).toEqual([303, service])
    expect(stranger.headers['cache-control']).toBe('no-store')
    const visitor = browser()
    await visitor.signIn()
    expect(ticketOf(await visitor.open({ service, gateway: 'true' }))).toMatch(/^ST-/)
    const due = await visitor.open({ service: asking, gateway: 'true' })
    expect(due.headers.location).toBe(asking)
    // `gateway` is ignored with `renew`, and without a service to redirect to (CAS protocol 3.0, 2.1.1).
    for (const who of [visitor, browser()]) {
      const both = await who.open({ service, gateway: 'true', renew: 'true' })
      expect(both.statusCode).toBe(200)
      expect(both.body).toContain('type="password"')
    }
    expect((await browser().open({ gateway: 'true' })).body).toContain('type="password"')
    // `renew=false`, which some clients send, asks for nothing.
    expect(ticketOf(await visitor.open({ service, renew: 'false' }))).toMatch(/^ST-/)
  })

  test('names the signed-in member without a service, and asks again with renew', async () => {
    const visitor = browser()
    await visitor.signIn()
    const page = await visitor.open()
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('林知夏')
    expect(page.body).not.toContain('type="password"')
    expect((await visitor.open({ renew: 'true' })).body).toContain('type="password"')
  })

  test('posts the ticket with method=POST, by a script the CSP allows or a button', async () => {
    const visitor = browser()
    const page = await visitor.signIn({ service, method: 'POST' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain('https://app.example.edu.cn')
    expect(page.body).toContain(`action="${service}"`)
    const script = /<script>(.*?)<\/script>/s.exec(page.body)?.[1] ?? ''
    expect(page.headers['content-security-policy']).toContain(
      `script-src 'sha256-${hash('sha256', script, 'base64')}';`,
    )
    expect(page.body).toContain('<button type="submit"')
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    expect((await validate({ service, ticket })).user).toBe('student')
  })

  test('warns before each service if requested, until a sign-in without it', async () => {
    const visitor = browser()
    await visitor.signIn({}, { warn: 'true' })
    const warning = await visitor.open({ service })
    expect(warning.statusCode).toBe(200)
    expect(warning.body).toContain('You are about to sign in to Some app')
    const no = await visitor.post(warning, { decision: 'no' })
    expect(no.headers.location).toBeUndefined()
    const yes = await visitor.post(await visitor.open({ service }), { decision: 'go' })
    expect((await validate({ service, ticket: ticketOf(yes) })).user).toBe('student')
    await visitor.signIn({ renew: 'true' })
    expect(ticketOf(await visitor.open({ service }))).toMatch(/^ST-/)
  })

  test('sets a persistent cookie with rememberMe, limited by the configured days', async () => {
    const cookieOf = (answer: { cookies: { name: string; maxAge?: number }[] }) =>
      answer.cookies.find(({ name }) => name.includes('TGC'))
    const page = await browser().open({ service })
    expect(page.body).toMatch(/<input type="checkbox" name="rememberMe" value="true">/)
    expect(cookieOf(await browser().signIn({ service }))?.maxAge).toBeUndefined()
    const done = await browser().signIn({ service }, { rememberMe: 'true' })
    expect(cookieOf(done)?.maxAge).toBe(14 * 86_400)
    const { body } = await validate({ service, ticket: ticketOf(done) })
    expect(body).toContain('<cas:longTermAuthenticationRequestTokenUsed>true<')
    const set = async (days: string) => {
      await app.platform.db.transaction().execute((db) => updateSetting(db, 'rememberMeDays', days))
      await app.platform.topics.flushed()
    }
    await set('0')
    expect((await browser().open({ service })).body).not.toContain('rememberMe')
    const off = await browser().signIn({ service }, { rememberMe: 'true' })
    expect(cookieOf(off)?.maxAge).toBeUndefined()
    await set('4000')
    const longest = await browser().signIn({ service }, { rememberMe: 'true' })
    expect(cookieOf(longest)?.maxAge).toBe(90 * 86_400)
    await set('14')
  })

  test('links to the portal’s sign-in pages, which return to the service', async () => {
    const linksOf = (body: string) =>
      [...body.matchAll(/href="(\/pages\/login\/[^"]+#[^"]+)"/g)].map(([, href = '']) => {
        const [path, fields] = href.replaceAll('&amp;', '&').split('#')
        const onwards = new URLSearchParams(fields).get('onwards') ?? ''
        return [path, new URLSearchParams(onwards.split('?')[1]).get('service')]
      })
    const asked = await browser().open({ service })
    for (const text of ['userAgreement', 'userPrivacy'])
      expect(asked.body).toContain(`href="/pages/login/${text}"`)
    expect(linksOf(asked.body)).toEqual([
      ['/pages/login/forgotten', service],
      ['/pages/login/activate', service],
      ['/pages/login/login', service],
    ])
    // `renew` must be handled here: the portal's page skips members who are already signed in.
    const renewed = await browser().open({ service, renew: 'true' })
    expect(linksOf(renewed.body)).toHaveLength(2)
    const allow = async (value: '0' | '1') => {
      for (const key of ['smsLogin', 'passkeyLogin'] as const)
        await app.platform.db.transaction().execute((db) => updateSetting(db, key, value))
      await app.platform.topics.flushed()
    }
    await allow('0')
    expect(linksOf((await browser().open({ service })).body)).toHaveLength(2)
    await allow('1')
  })

  test('keeps the chosen options and the links after a wrong password', async () => {
    const wrong = { password: 'not this one', rememberMe: 'true', warn: 'true' }
    const again = (await browser().signIn({ service }, wrong)).body
    expect(again).toContain('aria-describedby="problem" aria-invalid="true"')
    for (const name of ['rememberMe', 'warn'])
      expect(again).toContain(`name="${name}" value="true" checked`)
    expect(again).toContain('>Other ways to sign in</a>')
    const renewed = (await browser().signIn({ service, renew: 'true' }, wrong)).body
    expect(renewed).not.toContain('>Other ways to sign in</a>')
    expect(renewed).toContain('renew=true')
    // The input itself is correct here.
    const visitor = browser()
    const page = await visitor.open({ service })
    visitor.jar.clear()
    const expired = await visitor.post(page, { username: 'student', password: 'any' })
    expect(expired.body).toContain('aria-describedby="problem"')
    expect(expired.body).not.toContain('aria-invalid')
  })

  test('is where /cas redirects to', async () => {
    for (const url of ['/cas', '/cas/']) {
      const { statusCode, headers } = await app.app.inject({ url })
      expect([statusCode, headers.location], url).toEqual([303, '/cas/login'])
    }
  })

  test('uses the appearance chosen in the portal, or that of the device', async () => {
    const visitor = browser()
    async function lookOf(query = {}) {
      const { body } = await visitor.open(query)
      const [, lang, textSize, contrast] =
        /<html lang="(.*?)" data-text-size="(.*?)" data-contrast="(.*?)">/.exec(body) ?? []
      const dark = /central-login-dark\.css"(.*)>/.exec(body)?.[1]
      return { lang, textSize, contrast, dark }
    }
    const onlyInTheDark = ' media="(prefers-color-scheme: dark)"'
    const asTheDevice = { lang: 'en', textSize: '100', contrast: 'normal', dark: onlyInTheDark }
    expect(await lookOf()).toEqual(asTheDevice)
    visitor.jar.set('LOOK-atrium', 'zh.150.dark.more')
    const chosen = { lang: 'zh-CN', textSize: '150', contrast: 'more', dark: '' }
    expect(await lookOf()).toEqual(chosen)
    expect(await lookOf({ lang: 'en' })).toEqual({ ...chosen, lang: 'en' })
    visitor.jar.set('LOOK-atrium', 'zh.150.light.more')
    expect(await lookOf()).toEqual({ ...chosen, dark: undefined })
    visitor.jar.set('LOOK-atrium', 'zh.150.dark.more"><b>')
    expect(await lookOf()).toEqual(asTheDevice)
  })

  test('shows an error as a page in a known language with the request id', async () => {
    const accept = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' }
    const unknown = await app.app.inject({ url: '/cas/login?lang=xx', headers: accept })
    expect(unknown.statusCode).toBe(200)
    expect(unknown.body).toContain('<html lang="en"')
    const url = `/cas/login?service=${'x'.repeat(8001)}`
    const failed = await app.app.inject({ url, headers: accept })
    expect(failed.statusCode).toBe(400)
    expect(failed.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(failed.headers['content-security-policy']).toContain("default-src 'none'")
    expect(failed.body).toContain('<h1>This page could not be opened</h1>')
    expect(failed.body).toContain(String(failed.headers['x-request-id']))
    // A program gets the usual JSON error.
    const told = await app.app.inject({ url })
    expect(told.json()).toMatchObject({ error: 'request.invalid' })
  })

  test('uses the requested language, and its language link keeps the parameters', async () => {
    const page = await browser().open({ service, renew: 'true', method: 'POST', lang: 'zh' })
    expect(page.body).toContain('登录后将前往“应用”')
    const other = /<a href="(\/cas\/login\?[^"]+)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&')
    const query = new URLSearchParams(other?.split('?')[1])
    expect(Object.fromEntries(query)).toEqual({
      lang: 'en',
      service,
      method: 'POST',
      renew: 'true',
    })
  })
})

describe('consent', () => {
  const attributesOf = (change: object) =>
    admin(registry.update, {
      params: { code: 'asking' },
      body: {
        name: '询问',
        nameEn: 'Asking <b>service</b>',
        addresses: [asking],
        attributes: ['name', 'mobile'],
        purpose: '联系你',
        purposeEn: 'To reach you',
        consentNeeded: true,
        ...change,
      },
    })

  test('is requested once with attributes and purpose, and again for added attributes', async () => {
    const visitor = browser()
    const first = await visitor.signIn({ service: asking })
    expect(first.headers.location).toMatch(/^\/cas\/login\?service=/)
    const page = await visitor.open({ service: asking })
    expect(page.body).toContain('Asking &lt;b&gt;service&lt;/b&gt; needs your permission')
    for (const words of ['Username', 'Name', 'Mobile number', 'To reach you'])
      expect(page.body).toContain(words)
    const declined = await visitor.post(page, { decision: 'no' })
    expect(declined.body).toContain('You have not agreed')
    expect(ticketOf(await visitor.open({ service: asking }))).toBe('')
    const agreed = await visitor.post(await visitor.open({ service: asking }), { decision: 'go' })
    const told = await validate({ service: asking, ticket: ticketOf(agreed) })
    expect(told.body).toContain('<cas:mobile>13800000001<')
    // The ticket still counts as a new login, however long the page was read.
    expect(told.body).toContain('<cas:isFromNewLogin>true<')
    expect(ticketOf(await visitor.open({ service: asking }))).toMatch(/^ST-/)
    await attributesOf({ attributes: ['name'] })
    expect(ticketOf(await visitor.open({ service: asking }))).toMatch(/^ST-/)
    await attributesOf({ attributes: ['name', 'mobile', 'email'] })
    expect((await visitor.open({ service: asking })).body).toContain('Mail address')
    await attributesOf({})
  })

  test('invalidates an issued ticket when revoked or no longer sufficient', async () => {
    const visitor = browser()
    await visitor.signIn({}, { username: 'teacher' })
    const teacher = await app.as('teacher')
    const agree = async () =>
      ticketOf(await visitor.post(await visitor.open({ service: asking }), { decision: 'go' }))
    const first = await agree()
    expect((await teacher(consent.revoke, { params: { code: 'asking' } })).status).toBe(200)
    expect((await validate({ service: asking, ticket: first })).failure).toBe('INVALID_TICKET')
    const second = await agree()
    const third = ticketOf(await visitor.open({ service: asking }))
    await app.platform.db
      .updateTable('consent')
      .set({ attributes: ['name'] })
      .where('account_id', '=', (await findAccountByUsername(app.platform.db, 'teacher'))?.id ?? '')
      .execute()
    expect((await validate({ service: asking, ticket: second })).failure).toBe('INVALID_TICKET')
    expect((await validate({ service: asking, ticket: third })).failure).toBe('INVALID_TICKET')
    const last = await agree()
    expect((await validate({ service: asking, ticket: last })).user).toBe('teacher')
    await teacher(consent.revoke, { params: { code: 'asking' } })
  })

  test('revoked during the validation of a ticket makes that validation fail', async () => {
    const { db } = app.platform
    const visitor = browser()
    await visitor.signIn({}, { username: 'teacher' })
    const page = await visitor.open({ service: asking })
    const ticket = ticketOf(await visitor.post(page, { decision: 'go' }))
    const asked = await db.transaction().execute(async (db) => {
      const id = (await findAccountByUsername(db, 'teacher'))?.id ?? ''
      await db.deleteFrom('consent').where('account_id', '=', id).execute()
      const asked = validate({ service: asking, ticket })
      await expect
        .poll(async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            app.platform.db,
          )
          return rows.length
        })
        .toBe(1)
      return { asked }
    })
    expect((await asked.asked).failure).toBe('INVALID_TICKET')
  })

  test('given on an outdated page is requested again', async () => {
    const visitor = browser()
    await visitor.signIn({}, { username: 'staff' })
    const page = await visitor.open({ service: asking })
    await attributesOf({ attributes: ['name', 'mobile', 'email'] })
    const done = await visitor.post(page, { decision: 'go' })
    expect(done.headers.location).toMatch(/^\/cas\/login\?/)
    expect((await visitor.open({ service: asking })).body).toContain('Mail address')
    await attributesOf({})
  })

  test('cannot be given by another site, in another session, or for another service', async () => {
    const [student, teacher] = [browser(), browser()]
    await student.signIn()
    await teacher.signIn({}, { username: 'teacher' })
    const forged = await app.app.inject({
      method: 'POST',
      url: centralLogin.confirm.path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [...teacher.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      payload: new URLSearchParams({ service: asking, decision: 'go', lt: 'x' }).toString(),
    })
    expect(forged.headers.location).toMatch(/^\/cas\/login\?/)
    await attributesOf({ attributes: ['name', 'mobile', 'groups'] })
    const theirs = await student.open({ service: asking })
    expect(theirs.body).toContain('Groups')
    for (const [name, value] of student.jar) if (name.includes('LT')) teacher.jar.set(name, value)
    expect(ticketOf(await teacher.post(theirs, { decision: 'go' }))).toBe('')
    const elsewhere = await student.post(theirs, { decision: 'go', service: other })
    expect(ticketOf(elsewhere)).toBe('')
    expect((await student.open({ service: asking })).body).toContain('Groups')
    await attributesOf({})
  })
})

describe('SAML 1.1', () => {
  const request = (ticket: string) =>
    `<?xml version="1.0"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Header/><SOAP-ENV:Body><samlp:Request xmlns:samlp="urn:oasis:names:tc:SAML:1.0:protocol" MajorVersion="1" MinorVersion="1" RequestID="_r1.2" IssueInstant="2026-09-01T08:00:00Z"><samlp:AssertionArtifact>${ticket}</samlp:AssertionArtifact></samlp:Request></SOAP-ENV:Body></SOAP-ENV:Envelope>`
  const post = async (payload: string, query: Record<string, string> = { TARGET: service }) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/cas/samlValidate',
      query,
      payload,
      headers: { 'content-type': 'text/xml' },
    })
    const parsed = new XMLParser({
      ignoreAttributes: false,
      removeNSPrefix: true,
      parseTagValue: false,
      isArray: (name) => name === 'Attribute',
    }).parse(answer.body)
    return {
      status: answer.statusCode,
      body: answer.body,
      response: parsed.Envelope?.Body?.Response,
    }
  }

  test('a service with TARGET receives its ticket as SAMLart, also after a failed login', async () => {
    const visitor = browser()
    const page = await visitor.open({ TARGET: service })
    expect(page.body).toContain('name="TARGET"')
    const wrong = await visitor.post(page, { username: 'student', password: 'wrong' })
    const back = await visitor.post(wrong, { username: 'student', password: 'Atrium-demo-2026' })
    const location = new URL(String(back.headers.location))
    expect(location.searchParams.get('ticket')).toBeNull()
    const ticket = String(location.searchParams.get('SAMLart'))
    // The address as received, including the artifact: some clients send it whole.
    const { status, response } = await post(request(ticket), { TARGET: location.href })
    expect(status).toBe(200)
    expect(response['@_InResponseTo']).toBe('_r1.2')
    expect(response.Status.StatusCode['@_Value']).toBe('saml1p:Success')
    const { Assertion: assertion } = response
    expect(assertion.AuthenticationStatement.Subject.NameIdentifier).toBe('student')
    const told = Object.fromEntries(
      assertion.AttributeStatement.Attribute.map((one: Record<string, unknown>) => [
        one['@_AttributeName'],
        (one.AttributeValue as { '#text': string })['#text'],
      ]),
    )
    expect(told).toMatchObject({ name: '林知夏', identityTypeCode: expect.any(String) })
    const again = await post(request(ticket))
    expect(again.response.Status.StatusCode['@_Value']).toBe('saml1p:RequestDenied')
    expect(again.response.Assertion).toBeUndefined()
  })

  test('an invalid request is denied and reads no external entity', async () => {
    for (const hostile of [
      '',
      'nonsense',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${request('&x;')}`,
      request('<a/>'),
      request('ST-made-up'),
      request('"><script>'),
    ]) {
      const { status, body, response } = await post(hostile)
      expect(status).toBe(200)
      expect(response.Status.StatusCode['@_Value']).toBe('saml1p:RequestDenied')
      expect(body).not.toContain('root:')
    }
    const other = await post(request(await ticketFor()), {
      TARGET: 'https://other.example.edu.cn/',
    })
    expect(other.response.Status.StatusMessage).toContain('INVALID_SERVICE')
  })
})

test('a service receives attributes under its registered names', async () => {
  const named = 'https://named.example.edu.cn/'
  const body = {
    code: 'named',
    name: '换名',
    addresses: [named],
    attributes: ['name', 'identityType', 'groups'],
    attributeNames: { name: 'cn', identityTypeCode: 'employeeType' },
  }
  expect((await admin(registry.create, { body })).status).toBe(200)
  const show = async () => {
    const ticket = ticketOf(await browser().signIn({ service: named }))
    return (await validate({ service: named, ticket })).body
  }
  const told = await show()
  expect(told).toContain('<cas:cn>林知夏</cas:cn>')
  expect(told).toContain('<cas:employeeType>')
  expect(told).toContain('<cas:identityTypeName>')
  expect(told).not.toContain('<cas:name>')
  for (const [attributeNames, field] of [
    [{ password: 'x' }, 'attributeNames.password'],
    [{ name: 'a b' }, 'attributeNames.name'],
    [{ name: 'isFromNewLogin' }, 'attributeNames.name'],
    [{ name: 'x', email: 'x' }, 'attributeNames.name'],
  ] as const) {
    const refused = await admin(registry.update, {
      params: { code: 'named' },
      body: declared(registry.update, { ...body, attributeNames }),
    })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.fields ?? {})).toContain(field)
  }
})

test('proxy tickets are rejected per protocol; proxyValidate accepts service tickets', async () => {
  const asked = await app.app.inject({
    url: '/cas/proxy?pgt=PGT-1&targetService=https://a.example/',
  })
  expect(asked.body).toContain('<cas:proxyFailure code="UNAUTHORIZED_SERVICE">')
  for (const how of ['proxyValidate', 'p3ProxyValidate'] as const)
    expect((await validate({ service, ticket: await ticketFor() }, how)).user).toBe('student')
  const proxied = await validate(
    { service, ticket: 'PT-1856392-b98xZrQN4p90ASrw96c8' },
    'proxyValidate',
  )
  expect(proxied.failure).toBe('INVALID_TICKET_SPEC')
})

describe('logging out', () => {
  test('redirects to a registered service and ignores the url parameter of CAS 2', async () => {
    const visitor = browser()
    await visitor.signIn()
    const done = await visitor.logout({ service: 'https://app.example.edu.cn/app/bye' })
    expect(done.headers.location).toBe('https://app.example.edu.cn/app/bye')
    const old = await visitor.logout({ url: 'https://evil.example/' })
    expect(old.statusCode).toBe(200)
    expect(old.body).not.toContain('evil')
    expect((await visitor.open({ service })).body).toContain('type="password"')
  })

  test.each(['cross-site', 'same-site', undefined])(
    'asks for confirmation if linked from another site (%s), and accepts only its own form',
    async (site) => {
      const visitor = browser()
      await visitor.signIn()
      const query = { service: 'https://app.example.edu.cn/app/bye' }
      const logout = () =>
        visitor.send({
          method: 'GET',
          url: centralLogin.logout.path,
          query,
          headers: site ? { 'sec-fetch-site': site } : {},
        })
      const asked = await logout()
      expect(asked.statusCode).toBe(200)
      expect(asked.body).toContain('Sign out everywhere?')
      expect(asked.headers['content-security-policy']).toContain(
        "form-action 'self' https://app.example.edu.cn",
      )
      expect(ticketOf(await visitor.open({ service }))).toMatch(/^ST-/)

      const again = await logout()
      const forged = await visitor.post(again, { decision: 'go', lt: 'made-up' })
      expect(forged.body).toContain('Sign out everywhere?')
      const here = await visitor.post(forged, { decision: 'no' })
      expect(here.headers.location).toBe(query.service)
      expect(ticketOf(await visitor.open({ service }))).toMatch(/^ST-/)

      const left = await visitor.post(await logout(), { decision: 'go' })
      expect(left.headers.location).toBe(query.service)
      expect((await visitor.open({ service })).body).toContain('type="password"')
      // Nobody is signed in any more, so there is no question.
      expect((await logout()).headers.location).toBe(query.service)
    },
  )

  test('ends only the member’s own session', async () => {
    const [student, teacher] = [browser(), browser()]
    await student.signIn()
    await teacher.signIn({}, { username: 'teacher' })
    await teacher.logout()
    await browser().logout()
    expect(ticketOf(await student.open({ service }))).toMatch(/^ST-/)
  })
})

/** The responses use the prefix `cas:`; any other would be valid too. */
// biome-ignore lint/suspicious/noExplicitAny: an answer that was just parsed
const withoutPrefix = (value: any): any =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key.replace('cas:', ''), withoutPrefix(part)]),
      )
    : value
