import type { ConfigKey } from '@atrium/contract/config-keys'
import { federation, identityProviders } from '@atrium/contract/identity/federation'
import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { config } from '@atrium/contract/shell/config'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { fragmentOf, openBrowser } from '../../../../test/browser.ts'
import { failure, logoutRequest, startCasServer, success } from '../../../../test/cas-server.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { readLogoutRequest, readServiceResponse } from './cas-answer.ts'
import { callbackUrl } from './openid.ts'

const origin = 'https://m.example.edu'
let shared: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let casServer: Awaited<ReturnType<typeof startCasServer>>
let id: string
beforeAll(async () => {
  shared = await testApp()
  casServer = await startCasServer()
  node = await openNode(shared.url, {
    ATRIUM_PUBLIC_URL: origin,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${new URL(casServer.url).port},127.0.0.1:1`,
  })
  const admin = await shared.as('admin')
  const body = {
    code: 'campus-cas',
    kind: 'cas',
    name: '统一身份认证',
    nameEn: 'Campus sign-in',
    enabled: true,
    settings: { serverUrl: `${casServer.url}/`, matchUsername: true, nameAttribute: 'name' },
  }
  id = (await admin(identityProviders.create, { body })).data.id
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  await casServer.stop()
})
afterEach(() => {
  casServer.state.instead = undefined
})

const change = async (values: object, more: object = {}) =>
  (await shared.as('admin'))(identityProviders.update, {
    params: { id },
    body: {
      name: '统一身份认证',
      enabled: true,
      settings: { serverUrl: casServer.url, matchUsername: true, nameAttribute: 'name', ...values },
      ...more,
    },
  })
const set = async (key: ConfigKey, value: string) => {
  await updateSetting(node.platform.db, key, value)
  await node.platform.topics.flushed()
}
const browser = () => openBrowser(node.app, origin)
type Browser = ReturnType<typeof browser>
const beginLogin = (client: Browser, query = '') =>
  client.visit(`/token/federation/begin/campus-cas${query}`)
const providerAddress = async (client: Browser, query = '') =>
  client.follow(String((await beginLogin(client, query)).headers.location))
const login = async (client: Browser, nonce = '') =>
  (await client.visit(federation.login.path, { method: 'POST', payload: { nonce } })).json()
const me = async (token: string) =>
  (await node.app.inject({ url: personal.me.path, headers: { 'x-id-token': token } })).json()

describe('an external CAS server as an additional login', () => {
  test('signs in the user it names, passes renew on, and supplies the display name', async () => {
    casServer.state.user = 'student'
    await change({ renew: true })
    const client = browser()
    const returned = await client.visit(await providerAddress(client))
    const { nonce = '' } = fragmentOf(returned.headers.location)
    const [loginRequest, validated] = casServer.state.asked.slice(-2)
    expect(loginRequest?.searchParams.get('renew')).toBe('true')
    expect(validated?.searchParams.get('renew')).toBe('true')
    expect(validated?.searchParams.get('service')).toBe(loginRequest?.searchParams.get('service'))
    const info = await client.visit(`${federation.userInfo.path}?nonce=${nonce}`)
    expect(info.json().data).toMatchObject({ display: 'Name of 20268888', bound: true })
    const { data } = await login(client, nonce)
    expect((await me(idTokenOf(data))).data.accountName).toBe('student')
    await change({})
  })

  test('signs members out too when they leave the portal, if enabled', async () => {
    casServer.state.user = 'student'
    const outsideUrlFor = async (values: object) => {
      await change(values)
      const client = browser()
      const { nonce = '' } = fragmentOf(
        (await client.visit(await providerAddress(client))).headers.location,
      )
      const { data } = await login(client, nonce)
      const { method, path } = identity.logout
      const headers = { 'x-id-token': idTokenOf(data) }
      return (await node.app.inject({ method, url: path, headers })).json().data.outsideUrl
    }
    expect(await outsideUrlFor({})).toBe('')
    expect(await outsideUrlFor({ signOutThere: true })).toBe(
      `${casServer.url}/logout?${new URLSearchParams({ service: `${origin}/pages/login/signedOut` })}`,
    )
    await change({})
    // A password session has no external provider.
    const { method, path } = identity.passwordLogin
    const payload = { username: 'student', password: demoPassword }
    const own = (await node.app.inject({ method, url: path, payload })).json()
    const left = await node.app.inject({
      method: identity.logout.method,
      url: identity.logout.path,
      headers: { 'x-id-token': idTokenOf(own.data) },
    })
    expect(left.json().data.outsideUrl).toBe('')
  })

  test('maps users by another attribute if configured', async () => {
    casServer.state.user = 'somebody@example.edu'
    casServer.state.attributes = { name: ['x'], staffNo: ['teacher', 'other'] }
    await change({ usernameAttribute: 'staffNo' })
    const client = browser()
    const { nonce } = fragmentOf(
      (await client.visit(await providerAddress(client))).headers.location,
    )
    expect((await login(client, nonce)).data.username).toBe('teacher')
    await change({})
  })

  test('continues to the portal’s central login if requested, and nowhere else', async () => {
    casServer.state.user = 'student'
    for (const [onwards, expected] of [
      [
        '/cas/login?service=https%3A%2F%2Fm.example.edu%2F',
        '/cas/login?service=https%3A%2F%2Fm.example.edu%2F',
      ],
      ['https://evil.example/cas/login', undefined],
      ['/cas/../evil', undefined],
    ]) {
      const client = browser()
      const returned = await client.visit(
        await providerAddress(client, `?${new URLSearchParams({ onwards: String(onwards) })}`),
      )
      expect(fragmentOf(returned.headers.location).onwards).toBe(expected)
    }
    for (const hostile of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\tevil',
    ]) {
      const client = browser()
      const returned = await client.visit(
        await providerAddress(client, `?${new URLSearchParams({ returnTarget: hostile })}`),
      )
      expect(returned.headers.location).toMatch(/^\/pages\/login\/bindAccount#/)
    }
  })

  test('control characters in a display name are replaced by spaces', async () => {
    await change({})
    const attributes = { name: ['a\0b\nc'] }
    casServer.state.instead = JSON.stringify({
      serviceResponse: { authenticationSuccess: { user: 'student', attributes } },
    })
    const client = browser()
    const { nonce } = fragmentOf(
      (await client.visit(await providerAddress(client))).headers.location,
    )
    const info = await client.visit(`${federation.userInfo.path}?nonce=${nonce}`)
    expect(info.json().data).toMatchObject({ display: 'a b c', bound: true })
  })

  test.each([
    ['refuses the ticket', failure('INVALID_TICKET')],
    ['names no user', success('')],
    ['names two users', success('admin</cas:user><cas:user>student')],
    [
      'reports both success and failure',
      `${success('admin').replace('</cas:serviceResponse>', '')}<cas:authenticationFailure code="X"/></cas:serviceResponse>`,
    ],
    ['contains a document type', `<!DOCTYPE x [<!ENTITY u "admin">]>${success('&u;')}`],
    ['splits a name with a comment', success('adm<!-- -->in')],
    ['is not XML', '<html><p>Welcome'],
    ['is a different document', '<serviceResponse2><user>admin</user></serviceResponse2>'],
    ['is half a megabyte long', success('admin', { a: ['x'.repeat(600_000)] })],
  ])('is rejected if its response %s', async (_, instead) => {
    const client = browser()
    const returned = await providerAddress(client)
    casServer.state.instead = instead
    const { problem, nonce } = fragmentOf((await client.visit(returned)).headers.location)
    expect(problem).toMatch(/^federation\.(refused|unavailable)$/)
    expect(nonce).toBeUndefined()
  })

  test('receives no parameters injected by a ticket, and a login is tried once', async () => {
    const client = browser()
    const returned = await providerAddress(client)
    const hostile = returned.replace(
      /ticket=[^&]*/,
      `ticket=${encodeURIComponent('ST-1&service=https://evil.example')}`,
    )
    expect(fragmentOf((await client.visit(hostile)).headers.location).problem).toBe(
      'federation.refused',
    )
    expect(fragmentOf((await client.visit(returned)).headers.location).problem).toBe(
      'federation.expired',
    )
  })

  test('is reported as unavailable when unreachable or silent', async () => {
    const client = browser()
    const returned = await providerAddress(client)
    await change({ validateUrl: 'http://127.0.0.1:1/cas' })
    expect(fragmentOf((await client.visit(returned)).headers.location).problem).toBe(
      'federation.unavailable',
    )
    await change({})
    const again = await providerAddress(client)
    casServer.state.silent = true
    expect(fragmentOf((await client.visit(again)).headers.location).problem).toBe(
      'federation.unavailable',
    )
    casServer.state.silent = false
  })

  test('can be tested by an operator', async () => {
    const { data } = (
      await node.app.inject({
        ...{ method: 'POST', url: identity.passwordLogin.path },
        payload: { username: 'admin', password: 'Atrium-demo-2026' },
      })
    ).json()
    const ask = async () =>
      (
        await node.app.inject({
          method: 'POST',
          url: identityProviders.test.path.replace('{id}', id),
          headers: { 'x-id-token': idTokenOf(data) },
        })
      ).json().data
    expect(await ask()).toMatchObject({ ok: true })
    casServer.state.instead = success('anybody')
    expect(await ask()).toMatchObject({ ok: false })
  })
})

describe('an external CAS server as the central login', () => {
  beforeAll(async () => {
    await change({})
    await set('casUrl', `${casServer.url}/login`)
  })
  afterAll(() => set('casUrl', ''))
  const redeem = async (
    client: Browser,
    returned: string,
    change: (body: object) => object = (body) => body,
  ) => {
    const { searchParams } = new URL(returned, origin)
    const service = origin + returned.replace(/&ticket=.*$/, '')
    const body = { ticket: searchParams.get('ticket'), service }
    return (
      await client.visit(identity.redeemTicket.path, { method: 'POST', payload: change(body) })
    ).json()
  }

  test('is published in the system and module configuration', async () => {
    const system = (await node.app.inject(config.system.path)).json().data
    expect(system.centralLogin).toBe('/token/federation/begin/campus-cas')
    const modules = (await node.app.inject(config.modules.path)).json().data
    expect(modules.casUrl).toBe(`${casServer.url}/login`)
    await set('casUrl', '/token/federation/begin/campus-cas')
    expect((await node.app.inject(config.system.path)).json().data.centralLogin).toBe(
      '/token/federation/begin/campus-cas',
    )
    await set('casUrl', 'https://elsewhere.example/cas/login')
    expect((await node.app.inject(config.system.path)).json().data.centralLogin).toBe('/cas/login')
    await set('oriCasUrl', `${casServer.url}/login`)
    expect((await node.app.inject(config.system.path)).json().data.centralLogin).toBe(
      '/token/federation/begin/campus-cas',
    )
    await set('oriCasUrl', '')
    await set('casUrl', `${casServer.url}/login`)
  })

  test('issues tickets that only the requesting browser can redeem, once', async () => {
    casServer.state.user = 'student'
    const client = browser()
    const returned = await providerAddress(client, '?returnTarget=%2Fpages%2FmyInfo%2FmyInfo')
    expect(returned).toMatch(
      /^\/page\/index\/index\?returnTarget=%2Fpages%2FmyInfo%2FmyInfo&state=\w+&ticket=ST-/,
    )
    expect((await redeem(browser(), returned)).error).toBe('federation.expired')
    const { data } = await redeem(client, returned)
    expect((await me(idTokenOf(data))).data.accountName).toBe('student')
    expect((await redeem(client, returned)).error).toBe('federation.expired')
  })

  test('a ticket with an outdated or missing state is rejected', async () => {
    const client = browser()
    const returned = await providerAddress(client)
    await beginLogin(client)
    expect((await redeem(client, returned)).error).toBe('federation.expired')
    expect((await redeem(client, returned.replace(/state=\w+&/, ''))).error).toBe(
      'federation.expired',
    )
  })

  test('sends an unknown user to account binding', async () => {
    casServer.state.user = 'a-stranger'
    const client = browser()
    const { data } = await redeem(client, await providerAddress(client))
    expect(data).toEqual({ nonce: expect.any(String) })
    const info = await client.visit(`${federation.userInfo.path}?nonce=${data.nonce}`)
    expect(info.json().data.bound).toBe(false)
  })
})

describe('single logout by an external CAS server', () => {
  const signIn = async (user: string) => {
    casServer.state.user = user
    const client = browser()
    const returned = await providerAddress(client)
    const { nonce } = fragmentOf((await client.visit(returned)).headers.location)
    const { data } = await login(client, nonce)
    return {
      token: idTokenOf(data),
      ticket: new URL(returned, origin).searchParams.get('ticket') ?? '',
    }
  }
  const tell = (text: string, url = '/token/federation/callback/campus-cas') =>
    node.app.inject({
      method: 'POST',
      url,
      payload: new URLSearchParams({ logoutRequest: text }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  test.each([
    '/token/federation/callback/campus-cas?state=x',
    '/page/index/index?returnTarget=%2F',
  ])('ends only the named session when sent to %s', async (url) => {
    const one = await signIn('student')
    const other = await signIn('student')
    expect((await tell(logoutRequest(one.ticket), url)).statusCode).toBe(200)
    expect((await me(one.token)).error).toBe('session.expired')
    expect((await me(other.token)).data.accountName).toBe('student')
  })

  test('hostile messages end no session', async () => {
    const one = await signIn('student')
    for (const text of [
      logoutRequest('ST-1-unknown'),
      logoutRequest(one.ticket.slice(0, -1)),
      `<!DOCTYPE x [<!ENTITY t "${one.ticket}">]>${logoutRequest('&t;')}`,
      logoutRequest(`${one.ticket}</samlp:SessionIndex><samlp:SessionIndex>ST-2`),
      `${logoutRequest(one.ticket)}${' '.repeat(9000)}`,
      'no XML',
      '',
    ])
      expect((await tell(text)).statusCode).toBeLessThan(500)
    expect((await me(one.token)).data.accountName).toBe('student')
    expect(
      (await tell(logoutRequest(one.ticket), '/token/federation/callback/another')).statusCode,
    ).toBe(403)
    expect((await me(one.token)).data.accountName).toBe('student')
  })
})

describe('parsing CAS messages', () => {
  test('reads a JSON response with array or single values', () => {
    const answer = (attributes: object) =>
      JSON.stringify({
        serviceResponse: { authenticationSuccess: { user: '20260001', attributes } },
      })
    expect(readServiceResponse(answer({ a: ['1', '2'], b: 'x', c: { d: 1 } }))).toEqual({
      user: '20260001',
      attributes: { a: ['1', '2'], b: ['x'] },
    })
    expect(() =>
      readServiceResponse(
        JSON.stringify({ serviceResponse: { authenticationFailure: { code: 'X' } } }),
      ),
    ).toThrow('refused')
  })

  test('reads an XML response with predefined entities and any prefix', () => {
    expect(
      readServiceResponse(
        success('a&amp;b&#x5f20;', { name: ['O&apos;Neil', '<![CDATA[<b>]]>'] }).replaceAll(
          'cas:',
          '',
        ),
      ),
    ).toEqual({ user: 'a&b张', attributes: { name: ["O'Neil", '<b>'] } })
  })

  test('reads the ticket of a logout request', () => {
    expect(readLogoutRequest(logoutRequest('ST-1-abc.d'))).toBe('ST-1-abc.d')
  })

  test('the callback URL contains the code of the provider', () => {
    expect(callbackUrl(node.platform, { code: 'x' })).toBe(`${origin}/token/federation/callback/x`)
  })
})
