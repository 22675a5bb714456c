import { registry } from '@atrium/contract/sso/registry'
import { live } from '@atrium/contract/work/live'
import { messageIntegration } from '@atrium/contract/work/message-integration'
import { messageApps } from '@atrium/contract/work/message-integration.operator'
import { type MessageApp, messages } from '@atrium/contract/work/messages'
import type { APIRequestContext } from '@playwright/test'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'
import { numberIn, unreadInList } from './unread.ts'

// The admin's messages: no other test reads them, and messages already read are not announced.
test.use({ as: 'admin', live: true })
test.describe.configure({ mode: 'serial' })

let secret = ''
/** A new sender per run: a message with a known key is not sent again, and a muted sender stays muted. */
let station = { code: '', name: '' }

/** Registers the system and its application, as an operator does. */
async function register(request: APIRequestContext, url: string) {
  const headers = { 'x-id-token': await idToken(url, 'admin') }
  const number = Date.now().toString(36)
  station = { code: `parcels-${number}`, name: `快递驿站${number}` }
  const posted = async (path: string, data: object) => {
    const answer = await request.post(path, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()).data
  }
  await posted(registry.create.path, {
    ...station,
    redirectUris: [],
    integrations: ['message'],
  })
  secret = (await posted(registry.replaceSecret.path.replace('{code}', station.code), {})).secret
  await posted(messageApps.create.path, {
    ...station,
    nameEn: 'Parcel station',
    icon: { glyph: 'package', tone: 'amber' },
    system: station.code,
    kinds: [{ code: 'general', name: '取件通知', nameEn: 'Parcels' }],
  })
}

/** Sends as the system does, with its own token. */
async function send(request: APIRequestContext, title: string, rules: object[]) {
  const token = await request.post('/cas/oidc/token', {
    form: { grant_type: 'client_credentials', client_id: station.code, client_secret: secret },
  })
  const { access_token } = await token.json()
  const answer = await request.post(messageIntegration.send.path, {
    headers: { authorization: `Bearer ${access_token}` },
    data: {
      key: title,
      app: station.code,
      title,
      to: rules.length > 0 ? { rules } : { usernames: ['admin'] },
      url: '/pages/tab/index/index',
    },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

test('a system’s message is announced on every open device, and reading it updates all', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await register(request, baseURL ?? '')
  const second = await context.newPage()
  for (const device of [page, second]) {
    const stream = device.waitForResponse(`**${live.stream.path}`)
    await device.goto('/pages/tab/my/my')
    await stream
  }
  const badgeOf = (device: typeof page) =>
    device.getByRole('navigation').getByRole('link', { name: '消息' }).locator('.unseen')
  const matchesList = async (device: typeof page) =>
    (await numberIn(badgeOf(device))) - (await unreadInList(request, baseURL, 'admin'))

  // Watch both devices before sending: the announcement disappears after some seconds.
  const told = Promise.all(
    [page, second].map((device) =>
      expect(device.getByText(`${station.name}：包裹已到驿站`)).toBeVisible({ timeout: 60_000 }),
    ),
  )
  await send(request, '包裹已到驿站', [])
  await told
  for (const device of [page, second]) await expect.poll(() => matchesList(device)).toBe(0)

  await page.goto('/pages/msgCenterTab/newtask/newtask')
  await page.getByRole('link', { name: station.name }).click()
  const list = page.getByRole('list', { name: station.name })
  const read = page.waitForResponse(`**${messages.markRead.path}`)
  await list.getByRole('link', { name: /包裹已到驿站/ }).click()
  await expect(page.getByRole('heading', { name: '包裹已到驿站' })).toBeVisible()
  await read
  await expect.poll(() => matchesList(second)).toBe(0)
})

test('the reason dialog can mute the sender, whose messages then leave the unread count', async ({
  page,
  request,
  baseURL,
}) => {
  await send(request, '本周六驿站休息', [{ kind: 'identity', target: 'E01' }])
  await page.goto('/pagesA/message/entry?unread=1')
  await page.getByRole('link', { name: /本周六驿站休息/ }).click()
  await page.getByRole('button', { name: '为什么收到这条消息' }).click()
  const why = page.getByRole('dialog')
  await expect(why).toContainText(station.name)
  await expect(why).toContainText('身份为“职工”的成员')
  await why.getByRole('button', { name: '消息免打扰' }).click()
  await expect(why.getByRole('button', { name: '取消免打扰' })).toBeVisible()

  await page.goto('/pages/msgCenterTab/newtask/newtask')
  await send(request, '驿站恢复营业', [])
  await expect(page.getByRole('link', { name: station.name })).toContainText('驿站恢复营业')
  const half = page.getByRole('tab', { name: /^消息/ })
  await expect
    .poll(async () => (await numberIn(half)) - (await unreadInList(request, baseURL, 'admin')))
    .toBe(0)
  const apps = await request.get(messages.apps.path, {
    headers: { 'x-id-token': await idToken(baseURL ?? '', 'admin') },
  })
  const muted = (await apps.json()).data.find(({ name }: MessageApp) => name === station.name)
  expect(muted).toMatchObject({ disturbed: true, unreadCount: 1 })
})
