import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { registry } from '@atrium/contract/sso/registry'
import { live } from '@atrium/contract/work/live'
import { messageIntegration } from '@atrium/contract/work/message-integration'
import { messageApps } from '@atrium/contract/work/message-integration.operator'
import { messages } from '@atrium/contract/work/messages'
import { notifications } from '@atrium/contract/work/notifications'
import { fullLaunchOptions, hasFullBrowser } from './browser.ts'
import { startServer } from './server.ts'
import { idToken, storedSession } from './session.ts'
import { expect, test } from './test.ts'
import { numberIn } from './unread.ts'

// The reference implementation of RFC 8188, decrypting like a browser.
const ece = createRequire(import.meta.url)('http_ece') as {
  decrypt: (body: Buffer, how: object) => Buffer
}

test.describe.configure({ timeout: 420_000 })
test.use({ launchOptions: fullLaunchOptions })

/** A push service with one subscription, including the browser's keys. */
async function openPushService() {
  const given: Buffer[] = []
  const service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      given.push(Buffer.concat(parts))
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  return {
    port,
    given,
    subscription: {
      endpoint: `http://127.0.0.1:${port}/push/phone`,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    decrypt: (body: Buffer) =>
      ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString(),
    close: () => service.close(),
  }
}

let push: Awaited<ReturnType<typeof openPushService>>
let ownServer: Awaited<ReturnType<typeof startServer>>
test.beforeAll(async () => {
  test.setTimeout(240_000)
  push = await openPushService()
  // Our own push service, and an inbox that no other test fills.
  ownServer = await startServer([push.port])
})
test.afterAll(async () => {
  await ownServer?.stop()
  push?.close()
})

test('a push arrives while the portal is closed, and reading it updates the other device', async ({
  browser,
  request,
}) => {
  const call = async (
    as: 'admin' | 'editor',
    { method, path }: { method: string; path: string },
    data?: object,
  ) => {
    const answer = await request.fetch(`${ownServer.url}${path}`, {
      method,
      headers: { 'x-id-token': await idToken(ownServer.url, as) },
      ...(data && { data }),
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()).data
  }
  await call('admin', registry.create, {
    ...{ code: 'parcel-station', name: '快递驿站', redirectUris: [], integrations: ['message'] },
  })
  const { secret } = await call(
    'admin',
    {
      ...registry.replaceSecret,
      path: registry.replaceSecret.path.replace('{code}', 'parcel-station'),
    },
    {},
  )
  await call('admin', messageApps.create, {
    ...{ code: 'parcels', name: '快递驿站', nameEn: 'Parcel station', system: 'parcel-station' },
    icon: { glyph: 'package', tone: 'amber' },
    kinds: [
      {
        code: 'general',
        name: '取件通知',
        nameEn: 'Parcels',
        channels: ['push'],
        defaultChannels: ['push'],
      },
    ],
  })
  const attention = await call('editor', notifications.attention)
  await call('editor', notifications.setAttention, {
    ...attention,
    ...{ quietFrom: null, quietUntil: null, daysOff: [], digest: 'none' },
  })

  const device = async () =>
    browser.newContext({
      baseURL: ownServer.url,
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
      storageState: await storedSession(ownServer.url, 'editor'),
      permissions: ['notifications'],
      serviceWorkers: 'allow',
    })
  const phone = await device()
  const opened = await phone.newPage()
  await opened.goto('/pagesA/message/entry')
  const permission = await opened.evaluate(() => Notification.permission)
  // biome-ignore lint/suspicious/noSkippedTests: where only the Chromium of the npm package is to be had
  test.skip(permission === 'denied' && !hasFullBrowser, 'this browser shows no notifications')
  await opened.evaluate(() => navigator.serviceWorker.ready)
  await call('editor', notifications.subscribe, push.subscription)
  // No page of the portal is open on the phone any more.
  const blank = await phone.newPage()
  await opened.close()

  const second = await (await device()).newPage()
  const stream = second.waitForResponse(`**${live.stream.path}`)
  await second.goto('/pages/tab/my/my')
  await stream
  const badge = second
    .getByRole('navigation')
    .getByRole('link', { name: '消息' })
    .locator('.unseen')
  // Signing in on both devices was announced too.
  await expect(async () => {
    await call('editor', messages.markAllRead, {})
    await expect.poll(() => numberIn(badge), { timeout: 5000 }).toBe(0)
  }).toPass({ timeout: 60_000 })

  const token = await request.post(`${ownServer.url}/cas/oidc/token`, {
    form: {
      grant_type: 'client_credentials',
      client_id: 'parcel-station',
      client_secret: secret,
    },
  })
  const { access_token } = await token.json()
  const sent = await request.post(`${ownServer.url}${messageIntegration.send.path}`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: {
      ...{
        key: 'parcel-1',
        app: 'parcels',
        title: '包裹已到驿站',
        content: '<p>取件码 8-2-1021</p>',
      },
      to: { usernames: ['editor'] },
    },
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  await expect.poll(() => numberIn(badge), { timeout: 30_000 }).toBe(1)

  const told = () => push.given.map(push.decrypt).find((text) => text.includes('包裹已到驿站'))
  await expect.poll(told, { timeout: 60_000 }).toBeDefined()
  const payload = told() ?? ''
  const cdp = await phone.newCDPSession(blank)
  const registered = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ scopeURL }) => scopeURL.startsWith(ownServer.url))
      if (one) resolve(one.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  const origin = new URL(ownServer.url).origin
  type Shown = { title: string; url: string }
  const shown = async (): Promise<Shown[]> => {
    const [worker] = phone.serviceWorkers()
    if (!worker) return []
    return worker.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      const list = await registration.getNotifications()
      return list.map(({ title, data }) => ({ title, url: (data as { url: string }).url }))
    })
  }
  await expect(async () => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: payload })
    await expect
      .poll(async () => (await shown()).map(({ title }) => title), { timeout: 3000 })
      .toEqual(['包裹已到驿站'])
  }).toPass({ timeout: 60_000 })
  const [{ url } = { url: '' }] = await shown()

  // The target of a tap on it.
  await blank.goto(url)
  await expect(blank.getByText('取件码 8-2-1021')).toBeVisible()
  await expect.poll(() => numberIn(badge), { timeout: 30_000 }).toBe(0)
  expect(await call('editor', messages.unreadTotal)).toBe(0)
  // A read message is no longer announced.
  await expect.poll(async () => (await shown()).length).toBe(0)
})
