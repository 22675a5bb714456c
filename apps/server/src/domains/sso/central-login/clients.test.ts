import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { registry } from '@atrium/contract/sso/registry'
import { Strategy } from '@coursetable/passport-cas'
import httpCasClient from 'http-cas-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLogouts } from '#domains/sso/registry/logout-worker.ts'
import { openNode, testApp } from '../../../../test/test-app.ts'
import { webBrowser } from '../../../../test/web-browser.ts'

// A timeout, not a measurement: the machine may be busy.
const soon = { timeout: 20_000 }

/** Services that use a published CAS client (http-cas-client), one per XML version of the protocol. */
type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<boolean>

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function serviceWith(version: 2 | 3, portal: string) {
  let handler: Handler
  const server = http.createServer(async (request, response) => {
    try {
      if (!(await handler(request, response))) return response.end()
      const { principal } = request as unknown as { principal: unknown }
      response.end(JSON.stringify(principal))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  const make = httpCasClient as unknown as (options: object) => Handler
  handler = make({
    cas: version,
    casServerUrlPrefix: `${portal}/cas`,
    serverName: origin,
    client: { slo: true },
  })
  return origin
}

type PassportVersion = 'CAS1.0' | 'CAS2.0' | 'CAS3.0'

/** A service with a published Passport strategy, which leaves the session to the service. */
async function passportService(version: PassportVersion, portal: string) {
  const members = new Map<string, object>()
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
    const member = members.get(session ?? '')
    if (member) return response.end(JSON.stringify(member))
    const strategy = new Strategy(
      { version, ssoBaseURL: `${portal}/cas`, serverBaseURL: origin },
      (login, done) => done(null, login),
    )
    const leadTo = (location: string, headers = {}) =>
      response.writeHead(302, { location, ...headers }).end()
    // The functions Passport adds to a strategy.
    Object.assign(strategy, {
      redirect: leadTo,
      success(login: object) {
        const key = randomUUID()
        members.set(key, login)
        url.searchParams.delete('ticket')
        leadTo(url.href, { 'set-cookie': `session=${key}` })
      },
      error: ({ cause }: Error) => response.writeHead(500).end(String(cause)),
    })
    const query = Object.fromEntries(url.searchParams)
    strategy.authenticate(
      Object.assign(request, { query, originalUrl: request.url, protocol: 'http' }) as never,
    )
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return origin
}

type SamlClient = {
  cas_port: number
  bounce: (request: object, response: object, next: () => void) => void
}
const SamlClient = createRequire(import.meta.url)('cas-authentication') as new (
  options: object,
) => SamlClient

/** A service with a published SAML 1.1 client; of Express it needs the query, redirects and one session. */
async function samlClient() {
  const session: Record<string, unknown> = {}
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const client = new SamlClient({
      cas_url: `${portal}/cas`,
      service_url: origin,
      cas_version: 'saml1.1',
      session_info: 'told',
    })
    // The client supports default ports only.
    client.cas_port = Number(new URL(portal).port)
    const query = Object.fromEntries(url.searchParams)
    Object.assign(request, { query, session })
    Object.assign(response, {
      redirect: (location: string) => response.writeHead(302, { location }).end(),
      sendStatus: (status: number) => response.writeHead(status).end(),
    })
    client.bounce(request, response, () => response.end(JSON.stringify(session)))
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return origin
}

let samlService = ''
let portal = ''
const services = new Map<number, string>()
const passportServices = new Map<PassportVersion, string>()
beforeAll(async () => {
  const { url, as } = await testApp()
  // The portal needs its own address at the start, so find a free port first.
  const probe = http.createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  portal = `http://localhost:${port}`
  for (const version of [2, 3] as const) services.set(version, await serviceWith(version, portal))
  for (const version of ['CAS1.0', 'CAS2.0', 'CAS3.0'] as const)
    passportServices.set(version, await passportService(version, portal))
  samlService = await samlClient()
  const ports = [...services.values()].map((origin) => `127.0.0.1:${new URL(origin).port}`)
  const node = await openNode(url, { PORT: String(port), ATRIUM_OUTBOUND_ALLOW: ports.join(',') })
  await node.app.listen({ port, host: '127.0.0.1' })
  const worker = startLogouts(node.platform)
  closing.push(async () => {
    await worker.stop()
    await node.app.close()
    await node.platform.close()
  })
  const admin = await as('admin')
  for (const [version, origin] of services) {
    const body = {
      code: `client-${version}`,
      name: `Client ${version}`,
      addresses: [origin],
      logoutUrl: `${origin}/logout`,
      attributes: ['name', 'identityType'],
    }
    expect((await admin(registry.create, { body })).status).toBe(200)
  }
  for (const [version, origin] of passportServices) {
    const code = version.toLowerCase().replace('.', '-')
    const body = { code, name: version, addresses: [origin], attributes: ['name'] }
    expect((await admin(registry.create, { body })).status).toBe(200)
  }
  const saml = { code: 'saml', name: 'SAML', addresses: [samlService], attributes: ['name'] }
  expect((await admin(registry.create, { body: saml })).status).toBe(200)
  await node.platform.topics.flushed()
})

describe.each([2, 3] as const)('http-cas-client, CAS %i', (version) => {
  test('signs in through the portal, stays signed in, and is signed out with it', async () => {
    const origin = services.get(version) ?? ''
    const browser = webBrowser()
    const form = await browser.open(`${origin}/books?shelf=1`)
    expect(form.url).toContain(`${portal}/cas/login?service=`)
    const page = await browser.signIn(form, 'student')
    expect(page).toMatchObject({ status: 200, url: `${origin}/books?shelf=1` })
    expect(JSON.parse(page.body)).toMatchObject({
      user: 'student',
      ...(version === 3 && { attributes: { name: '林知夏', isFromNewLogin: 'true' } }),
    })
    const steps = browser.visited.length
    expect((await browser.open(`${origin}/again`)).body).toContain('student')
    expect(browser.visited.length).toBe(steps + 1)
    await browser.open(`${portal}/cas/logout`)
    await expect
      .poll(async () => (await browser.open(`${origin}/again`)).url, soon)
      .toContain('/cas/login?service=')
  })
})

test.each(['CAS1.0', 'CAS2.0', 'CAS3.0'] as const)(
  '@coursetable/passport-cas, %s: signs in through the portal and rejects an unknown ticket',
  async (version) => {
    const origin = passportServices.get(version) ?? ''
    const browser = webBrowser()
    const form = await browser.open(`${origin}/books?shelf=1`)
    expect(form.url).toContain(`${portal}/cas/login?`)
    const page = await browser.signIn(form, 'student')
    expect(page).toMatchObject({ status: 200, url: `${origin}/books?shelf=1` })
    const member = JSON.parse(page.body)
    expect(member.user).toBe('student')
    if (version === 'CAS3.0') expect(member.attributes.name).toBe('林知夏')
    const refused = await webBrowser().open(`${origin}/books?ticket=ST-1-nobodys`)
    expect(refused).toMatchObject({
      status: 500,
      body: expect.stringMatching(/rejected|INVALID_TICKET/),
    })
  },
)

test('cas-authentication, SAML 1.1: signs in through the portal and receives attributes', async () => {
  const browser = webBrowser()
  const page = await browser.signIn(await browser.open(`${samlService}/books`), 'student')
  expect(page.status).toBe(200)
  expect(JSON.parse(page.body)).toMatchObject({
    cas_user: 'student',
    told: { name: '林知夏', isFromNewLogin: 'true' },
  })
})

test('one sign-in works for every service, and one logout ends all sessions', async () => {
  const [first, second] = [...services.values()] as [string, string]
  const browser = webBrowser()
  await browser.signIn(await browser.open(first), 'teacher')
  expect((await browser.open(second)).body).toContain('teacher')
  await browser.open(`${portal}/cas/logout`)
  for (const origin of [first, second])
    await expect
      .poll(async () => (await browser.open(origin)).url, soon)
      .toContain('/cas/login?service=')
})
