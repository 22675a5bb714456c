import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ConfigKey } from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { home, type PaintedTab } from '@atrium/contract/shell/home'
import { messages } from '@atrium/contract/work/messages'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openPainter } from '#platform/http/painter.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { openPaintedTab } from './painted-tab.ts'

const tab = '/pages/msgCenterTab/newtask/newtask'

/** Stands in for the portal's script and prints its input. */
const script = `let painted = 0
globalThis.answersFor = (path, userAgent, today) =>
  !localStorage.getItem('idToken') ? (path.includes('service') ? ['${config.system.path}'] : undefined) :
  path === '/pages/tab/my/my' ? ['/portal-api/v1/nothing'] :
    ['${config.system.path}', '${config.detail.path}', '${messages.apps.path}']
globalThis.paintTab = (path, answers) => {
  if (!answers['${messages.apps.path}']) {
    const device = navigator.userAgent.includes('Mobile') ? 'phone' : 'computer'
    const markup = [device, answers['${config.system.path}'].schoolName, ++painted].join(' ')
    return { title: path, lang: navigator.language, markup }
  }
  if (path === '/pages/tab/schedule/schedule') throw new TypeError('of another context')
  return {
    title: path, lang: navigator.language,
    markup: '<p style="--width:3px">' + navigator.userAgent.includes('Android') + ' '
      + answers['${messages.apps.path}'].map((app) => app.name) + '</p>',
  }
}`

let base: TestApp
let paintTab: ReturnType<typeof openPaintedTab>
let dist: string
beforeAll(async () => {
  base = await testApp()
  dist = mkdtempSync(path.join(os.tmpdir(), 'atrium-dist-'))
  mkdirSync(path.join(dist, '.paint'))
  writeFileSync(path.join(dist, '.paint/paint.js'), script)
  writeFileSync(path.join(dist, '.paint/policy.json'), '{}')
  paintTab = openPaintedTab(openPainter(dist))
  return () => rmSync(dist, { recursive: true })
})

async function open(
  username: string | undefined,
  address: string = tab,
  headers: Record<string, string> = {},
  timeZone = 'Asia/Shanghai',
): Promise<PaintedTab | null> {
  const request = {
    headers: { ...(username && { 'x-id-token': await base.tokenOf(username) }), ...headers },
    ip: '127.0.0.1',
    server: base.app,
    log: { error() {} },
  }
  const query = { path: address, timeZone }
  const viewer = { signedIn: username !== undefined }
  return paintTab({ request, platform: base.platform, query, viewer } as never)
}

const initial = new Map<ConfigKey, string>()
async function set(key: ConfigKey, value: string) {
  await base.platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await base.platform.topics.flushed()
}
afterEach(async () => {
  for (const [key, value] of initial) await set(key, value)
  initial.clear()
})

test('a tab is rendered with the answers its member would get', async () => {
  const names = async (username: 'student' | 'teacher') =>
    (await (await base.as(username))(messages.apps)).data.map(({ name }) => name).join(',')
  for (const username of ['student', 'teacher'] as const)
    expect((await open(username))?.markup).toBe(
      `<p data-style="0">false ${await names(username)}</p>`,
    )
  expect(await open('student')).toMatchObject({
    css: '[data-style="0"]{--width:3px}',
    title: tab,
    lang: 'zh',
  })
})

test('a tab is rendered in the language and for the device of the request', async () => {
  const painted = await open('student', tab, {
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140 Mobile',
  })
  expect(painted?.lang).toBe('en')
  expect(painted?.markup).toContain('>true ')
})

test('no tab is rendered for a device in another time zone', async () => {
  expect(await open('student', tab, {}, 'Europe/Berlin')).toBeNull()
})

test('no tab is rendered in host apps and mini-programs', async () => {
  const agents = [
    'Mozilla/5.0 (iPhone) SuperApp/1.0',
    'Mozilla/5.0 MicroMessenger/8.0 miniProgram/wx1',
  ]
  for (const agent of agents) expect(await open('student', tab, { 'user-agent': agent })).toBeNull()
})

test('no tab is rendered if an answer is missing or the script fails', async () => {
  expect(await open('student', '/pages/tab/my/my')).toBeNull()
  expect(await open('student', '/pages/tab/schedule/schedule')).toBeNull()
})

test('no tab is rendered while members see another page first', async () => {
  initial.set('ENV_OPENING_PAGE', '0')
  await set('ENV_OPENING_PAGE', '1')
  expect(await open('student')).toBeNull()
})

test('no more than eight tabs are rendered at once', async () => {
  await base.tokenOf('student')
  const all = await Promise.all(Array.from({ length: 12 }, () => open('student')))
  expect(all.filter((painted) => painted !== null)).toHaveLength(8)
  expect(await open('student')).not.toBeNull()
})

test('without a portal build there is nothing to render', async () => {
  expect(await openPaintedTab(openPainter('/nowhere'))({ request: { headers: {} } } as never)).toBe(
    null,
  )
})

const services = '/pages/tab/service/index'

test('visitors share one rendering of the services, until a setting changes', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => open(undefined, services)))
  expect(all.map((painted) => painted?.markup)).toEqual(Array(12).fill('computer 江岚大学 1'))
  expect((await open(undefined, services))?.markup).toBe('computer 江岚大学 1')
  initial.set('schoolName', '江岚大学')
  await set('schoolName', '新江岚大学')
  expect((await open(undefined, services))?.markup).toBe('computer 新江岚大学 2')
})

test('visitors get their language and kind of device, and members their own tab', async () => {
  const agent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140 Mobile'
  const phone = await open(undefined, services, { 'user-agent': agent })
  expect(phone?.markup).toMatch(/^phone /)
  expect((await open(undefined, services, { 'accept-language': 'en' }))?.lang).toBe('en')
  expect((await open('student', services))?.markup).toMatch(/^<p/)
  expect((await open(undefined, services))?.markup).toMatch(/^computer /)
})

test('visitors get no rendering of other tabs', async () => {
  expect(await open(undefined, tab)).toBeNull()
})

test('visitors get no rendering while they see another page first', async () => {
  initial.set('ENV_OPENING_PAGE', '0').set('ENV_OPENING_PAGE_TOURIST', '0')
  await set('ENV_OPENING_PAGE', '1')
  expect(await open(undefined, services)).not.toBeNull()
  await set('ENV_OPENING_PAGE_TOURIST', '1')
  expect(await open(undefined, services)).toBeNull()
})

test('only the four tabs can be asked for', async () => {
  const query = { path: tab, timeZone: 'Asia/Shanghai' } as const
  expect((await base.visitor(home.paintedTab, { query })).status).toBe(200)
  const student = await base.as('student')
  expect((await student(home.paintedTab, { query })).status).toBe(200)
  expect((await student(home.paintedTab, { query: { ...query, path: '/' as never } })).status).toBe(
    400,
  )
})
