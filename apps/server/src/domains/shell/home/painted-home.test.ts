import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ConfigKey } from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { openPainter } from '#platform/http/painter.ts'
import { servePortal } from '#platform/http/portal-files.ts'
import { withCookies } from '#platform/http/scopes.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { openPaintedHome } from './painted-home.ts'

/** Stands in for the portal's script and prints its input. */
const script = `globalThis.paintHome = ({ system, home }) => ({
  title: system.schoolName, lang: navigator.language === 'en' ? 'en' : 'zh-CN',
  markup: '<h1 style="--per-row:5">' + home.quick.length + ' ' + home.news.list[0].title + '</h1>'
    + '<p data-quick="' + home.quick.map((one) => one.serviceId) + '"'
    + ' data-own="' + [String(home.who), String(home.todo), home.unread, home.today] + '">',
})`
const files = {
  'index.html': '<!doctype html><title>as built</title>',
  '.paint/paint.js': script,
  '.paint/home.html':
    '<html lang="%lang%"><title>%title%</title>%styles%<i data-for="%for%" data-notice="%notice%">%markup%',
  '.paint/policy.json': JSON.stringify({ styles: ['sha256-sheet'], script: 'sha256-script' }),
}

let base: TestApp
let portal: FastifyInstance
beforeAll(async () => {
  base = await testApp()
  const dist = mkdtempSync(path.join(os.tmpdir(), 'atrium-dist-'))
  for (const folder of ['assets', '.paint']) mkdirSync(path.join(dist, folder))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dist, name), text)
  portal = Fastify() as unknown as FastifyInstance
  const paintedHome = openPaintedHome({ platform: base.platform }, openPainter(dist))
  await withCookies(portal, (scope) => servePortal(scope, readEnvironment({}), dist, paintedHome))
  return async () => {
    await portal.close()
    rmSync(dist, { recursive: true })
  }
})

const initial = new Map<ConfigKey, string>()
async function set(key: ConfigKey, value: string) {
  await base.platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await base.platform.topics.flushed()
}
async function setForNow(key: ConfigKey, value: string, before: string) {
  initial.set(key, before)
  await set(key, value)
}
afterEach(async () => {
  for (const [key, value] of initial) await set(key, value)
  initial.clear()
})

const open = (url: string, headers: Record<string, string> = {}) => portal.inject({ url, headers })
const isPainted = async (url: string, headers?: Record<string, string>) =>
  (await open(url, headers)).body.includes('data-for=')

test('a visitor gets home with its content in their language', async () => {
  const { body, headers } = await open('/', { 'accept-language': 'zh-CN,zh;q=0.9' })
  expect(body).toMatch(/<html lang="zh-CN"><title>江岚大学<\/title>/)
  expect(body).toMatch(/<i data-for="visitor" data-notice="\d+"><h1 data-style="0">9 \S+/)
  expect(body).toContain('<style>[data-style="0"]{--per-row:5}</style>')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('private, no-cache')
  expect((await open('/', { 'accept-language': 'en' })).body).toContain('lang="en"')
})

test('the CSP of home allows its styles and its script by hash', async () => {
  const policy = String((await open('/')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' 'sha256-script';")
  expect(policy).toMatch(/style-src 'self' 'sha256-sheet' 'sha256-[\w+/=]{44}';/)
  expect(policy).not.toContain('unsafe-inline')
  expect((await open('/pages/set/set')).headers['content-security-policy']).not.toContain("script'")
})

test('home returns 304 for its ETag until its content changes', async () => {
  const { etag } = (await open('/')).headers
  const again = () => open('/', { 'if-none-match': `${etag}` })
  expect((await again()).statusCode).toBe(304)
  const { schoolName } = (await base.visitor(config.system)).data
  await setForNow('schoolName', '江岚大学（新）', schoolName)
  const changed = await again()
  expect(changed.statusCode).toBe(200)
  expect(changed.body).toContain('<title>江岚大学（新）</title>')
})

test('HTML in the name of the institution is escaped', async () => {
  const { schoolName } = (await base.visitor(config.system)).data
  await setForNow('schoolName', '</title><script>alert(1)</script> %markup%', schoolName)
  const { body } = await open('/')
  expect(body).toContain('<title>&lt;/title>&lt;script>')
  expect(body).not.toContain('<script>alert')
})

test('only home is painted, and only without sign-in parameters', async () => {
  expect(await isPainted('/pages/tab/index/index')).toBe(true)
  for (const url of ['/?idToken=x', '/?noLogin=1', '/pages/tab/service/index', '/pages/set/set'])
    expect(await isPainted(url)).toBe(false)
})

test('home is not painted in host apps and mini-programs', async () => {
  const agents = [
    'Mozilla/5.0 (iPhone) SuperApp/1.0',
    'Mozilla/5.0 MicroMessenger/8.0 miniProgram/wx1',
  ]
  for (const agent of agents) expect(await isPainted('/', { 'user-agent': agent })).toBe(false)
})

test.each<[ConfigKey, string, string]>([
  ['ENV_ENABLE_MOBILE_FESTIVAL_THEME', '1', '0'],
  ['ENV_APP_MOURNING_MODE', '1', '0'],
])('home is not painted while %s is on', async (key, value, before) => {
  await setForNow(key, value, before)
  expect(await isPainted('/')).toBe(false)
  await set(key, before)
  expect(await isPainted('/')).toBe(true)
})

test('home is not painted for visitors while they have an opening page', async () => {
  await setForNow('ENV_OPENING_PAGE', '1', '0')
  expect(await isPainted('/')).toBe(true)
  await setForNow('ENV_OPENING_PAGE_TOURIST', '1', '0')
  expect(await isPainted('/')).toBe(false)
})

/** The cookie that a member's browser sends with the page request. */
async function cookieOf(username: string, language = 'zh-CN') {
  const answer = await base.app.inject({
    url: home.read.path,
    headers: { 'x-id-token': await base.tokenOf(username), 'accept-language': language },
  })
  return answer.cookies.find(({ name }) => name === 'PAINT-atrium')
}

test('a member gets the content of their audience class without personal data', async () => {
  const cookie = await cookieOf('student')
  expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax' })
  const { body } = await open('/', { cookie: `PAINT-atrium=${cookie?.value}` })
  const own = (await (await base.as('student'))(home.read)).data
  const visitors = (await base.visitor(home.read)).data
  expect(body).toContain('data-for="member"')
  const quick = own.quick?.map(({ serviceId }) => serviceId)
  expect(body).toContain(`data-quick="${quick}"`)
  expect(quick).not.toEqual(visitors.quick?.map(({ serviceId }) => serviceId))
  expect(body).toContain('data-own="null,null,0,"')
})

test('the cookie contains a class, a language and the day but no member', async () => {
  const { value = '' } = (await cookieOf('student', 'en')) ?? {}
  expect(value).toMatch(/^en\.student\.\d+(-\d+)*\.\d{5}\.[\w-]{32}$/)
  expect((await open('/', { cookie: `PAINT-atrium=${value}` })).body).toContain('lang="en"')
})

/** The student's cookie of some days ago; `null`: as releases without the day signed it. */
async function agedCookie(days: number | null) {
  const { value = '' } = (await cookieOf('student')) ?? {}
  const [language, label, audiences, today] = value.split('.')
  const day = days === null ? [] : [Number(today) - days]
  const text = [language, label, audiences, ...day].join('.')
  return `${text}.${base.platform.secret.sign('painted home', text)}`
}

test.each<[number | null, string]>([
  [0, 'member'],
  [7, 'member'],
  [8, 'visitor'],
  [null, 'visitor'],
])('with a cookie signed %s days ago, home is painted for a %s', async (days, whom) => {
  const { body } = await open('/', { cookie: `PAINT-atrium=${await agedCookie(days)}` })
  expect(body).toContain(`data-for="${whom}"`)
})

test('the cookie is renewed daily, and not sent again on the same day', async () => {
  const today = await agedCookie(0)
  const renewed = async (cookie: string) => {
    const { cookies } = await base.app.inject({
      url: home.read.path,
      headers: {
        'x-id-token': await base.tokenOf('student'),
        'accept-language': 'zh-CN',
        cookie: `PAINT-atrium=${cookie}`,
      },
    })
    return cookies
  }
  expect(await renewed(today)).toEqual([])
  expect(await renewed(await agedCookie(1))).toMatchObject([
    { name: 'PAINT-atrium', value: today, maxAge: 604_800 },
  ])
})

test('a forged cookie is ignored', async () => {
  const { value = '' } = (await cookieOf('student')) ?? {}
  const forged = value.replace('student.', 'teacher.')
  for (const cookie of [forged, value.slice(0, -1), `${value}x`, 'zh.student.1.20000', ''])
    expect((await open('/', { cookie: `PAINT-atrium=${cookie}` })).body).toContain(
      'data-for="visitor"',
    )
})

test('a visitor gets no cookie, and a leftover cookie is deleted', async () => {
  const { value = '' } = (await cookieOf('student')) ?? {}
  const ask = (headers: Record<string, string>) => base.app.inject({ url: home.read.path, headers })
  expect((await ask({})).cookies).toEqual([])
  const after = await ask({ cookie: `PAINT-atrium=${value}` })
  expect(after.cookies).toMatchObject([{ name: 'PAINT-atrium', value: '' }])
})

test('home is not painted for members while they have a diversion page', async () => {
  const { value = '' } = (await cookieOf('student')) ?? {}
  const cookie = { cookie: `PAINT-atrium=${value}` }
  expect(await isPainted('/', cookie)).toBe(true)
  await setForNow('ENV_DIVERSION_PAGE', '1', '0')
  expect(await isPainted('/', cookie)).toBe(false)
  expect(await isPainted('/')).toBe(true)
})
