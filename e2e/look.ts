// Photographs screens onto contact sheets, look/<area>-<screen>-<language>.png, and puts every photograph beside them, in
// look/<area>-<screen>/.
// Started by scripts/look.mjs with the area's name, or without one for all.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { endpoints } from '@atrium/contract'
import type { EndpointTable } from '@atrium/contract/define'
import { type Browser, chromium, type Page, type Route } from '@playwright/test'
import { launchOptions } from './browser.ts'
import { startServer } from './server.ts'
import { idToken, storedSession } from './session.ts'

/** What is looked at of a screen. The portal's own type belongs to a program for the browser, which this is not. */
type Screen = {
  area: string
  access: string
  search?: Record<string, (value: undefined) => unknown>
}

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'look')
const widths = [320, 375, 1280]
const lowest = 700
const tallest = 1600
const languages = { zh: 'zh-CN', en: 'en-US' } as const
const conditions = ['content', 'empty', 'failed', 'text 200 %', 'visitor'] as const
type Condition = (typeof conditions)[number]

/** Pages of the product that are no screens of the portal. */
const others: Record<string, Screen> = { '/cas/login': { area: 'login', access: 'public' } }

/** Where the `id` comes from that a screen of an area cannot be opened without: the first of this list. */
const lists: Record<string, string> = {
  messages: endpoints.messages.list.path,
  news: endpoints.news.list.path,
  schedule: `${endpoints.schedule.events.path}?from=${dayFromNow(0)}&to=${dayFromNow(30)}`,
  services: endpoints.services.list.path,
  tasks: endpoints.tasks.list.path,
}
const itsOwnList: Record<string, string> = {
  '/msgCenter/pages/task/doneDetail': `${endpoints.tasks.list.path}?level=myDone`,
}

/** These always answer: what fails or is empty is the content. */
const frame = ['config', 'identity', 'centralLogin']
const contentPaths = Object.entries<EndpointTable>(endpoints)
  .filter(([area]) => !frame.includes(area))
  .flatMap(([, table]) => Object.values(table))
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
const isContent = (url: URL) => contentPaths.some((path) => path.test(url.pathname))

const wanted = process.argv[2]
const routes: string = path.join(root, 'apps/portal/src/routes.ts')
const { screens } = (await import(routes)) as { screens: Record<string, Screen> }
const chosen = Object.entries({ ...screens, ...others }).filter(
  ([, screen]) => !wanted || screen.area === wanted,
)
if (chosen.length === 0) {
  const areas = new Set(Object.values(screens).map((screen) => screen.area))
  console.error(`There is no area ${wanted}. Areas: ${[...areas].join(', ')}`)
  process.exit(1)
}

const server = await startServer()
const browser = await chromium.launch(launchOptions)
try {
  await mkdir(folder, { recursive: true })
  for (const [address, screen] of chosen) await photographScreen(browser, address, screen)
} finally {
  await browser.close()
  await server.stop()
}

type Photograph = { language: string; condition: string; width: number; image: Buffer }

async function photographScreen(browser: Browser, address: string, screen: Screen) {
  const missing = requiredFields(screen)
  const list = itsOwnList[address] ?? lists[screen.area]
  if (missing.some((field) => field !== 'id') || (missing.length > 0 && !list)) {
    console.error(`${address} needs ${missing.join(', ')}: say in e2e/look.ts where from.`)
    process.exitCode = 1
    return
  }
  const search = list && missing.length > 0 ? `?id=${await firstId(list)}` : ''
  const name = [screen.area, ...address.split('/').slice(-2)].join('-')
  const jobs = Object.keys(languages).flatMap((language) =>
    conditions
      .filter((condition) => condition !== 'visitor' || screen.access === 'guest')
      .map((condition) => ({ language: language as keyof typeof languages, condition })),
  )
  const photographs: Photograph[] = []
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const images = await photograph(browser, address + search, job.language, job.condition)
      photographs.push(...images.map((image, at) => ({ ...job, width: widths[at] ?? 0, image })))
    }
  }
  await Promise.all([worker(), worker()])

  const single = path.join(folder, name)
  await rm(single, { recursive: true, force: true })
  await mkdir(single)
  for (const { language, width, condition, image } of photographs) {
    const file = `${language}-${width}-${condition.replace(/\W+/g, '-').replace(/-$/, '')}.png`
    await writeFile(path.join(single, file), image)
  }
  for (const language of Object.keys(languages)) {
    const ofLanguage = photographs.filter((photo) => photo.language === language)
    await writeFile(`${single}-${language}.png`, await contactSheet(browser, address, ofLanguage))
    console.log(`look/${name}-${language}.png`)
  }
}

async function photograph(
  browser: Browser,
  address: string,
  language: keyof typeof languages,
  condition: Condition,
) {
  const settings = { language, ...(condition === 'text 200 %' && { textSize: '200' }) }
  const context = await browser.newContext({
    baseURL: server.url,
    locale: languages[language],
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    hasTouch: true,
    storageState: await storedSession(
      server.url,
      condition === 'visitor' ? undefined : 'student',
      settings,
    ),
  })
  if (condition === 'empty') await context.route(isContent, emptied)
  if (condition === 'failed') await context.route(isContent, (route) => route.abort())
  const page = await context.newPage()
  const images: Buffer[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: lowest })
    if (width === widths[0]) await page.goto(address)
    await settle(page)
    // As tall as the content, so that what is fixed to the lower edge does not cover it.
    const content = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(content, lowest), tallest) })
    await page.waitForTimeout(100)
    images.push(await page.screenshot())
  }
  await context.close()
  return images
}

/** Until nothing is loading: every skeleton has gone, pictures are there, and nothing moves. */
async function settle(page: Page) {
  await page.waitForLoadState('networkidle').catch(() => {})
  await page
    .locator('.skeleton')
    .first()
    .waitFor({ state: 'detached', timeout: 15_000 })
    .catch(() => console.warn(`${page.url()} is still loading after 15 s`))
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(250)
}

async function emptied(route: Route) {
  const response = await route.fetch()
  const body = await response.json().catch(() => undefined)
  if (body === undefined) return route.fulfill({ response })
  await route.fulfill({ response, json: { ...body, data: emptyOf(body.data) } })
}

/** The same shape without content: no list has an item, no count is above zero. */
function emptyOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return []
  if (typeof value === 'number') return /total|count|^$/i.test(name) ? 0 : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptyOf(inner, key)]))
}

function requiredFields({ search = {} }: Screen) {
  return Object.entries(search).flatMap(([name, parse]) => {
    try {
      parse(undefined)
      return []
    } catch {
      return [name]
    }
  })
}

async function firstId(list: string) {
  const answer = await fetch(`${server.url}${list}`, {
    headers: { 'x-id-token': await idToken(server.url, 'student') },
  })
  const { data } = (await answer.json()) as { data: { list: { id: string }[] } }
  return data.list[0]?.id ?? ''
}

async function contactSheet(browser: Browser, address: string, photographs: Photograph[]) {
  const figure = (photo: Photograph) => {
    const scale = photo.width > 1000 ? 0.4 : 0.75
    const source = `data:image/png;base64,${photo.image.toString('base64')}`
    return `<figure><figcaption>${photo.language} ${photo.width} ${photo.condition}</figcaption><img width="${photo.width * scale}" src="${source}"></figure>`
  }
  const rows = conditions.map((condition) => {
    const row = photographs.filter((photo) => photo.condition === condition)
    return `<div>${row.map(figure).join('')}</div>`
  })
  const page = await browser.newPage({ viewport: { width: 1090, height: 800 } })
  await page.setContent(`<style>
    body { margin: 16px; background: #777; color: #fff; font: 14px sans-serif }
    div { display: flex; gap: 8px; align-items: start; margin-bottom: 16px }
    figure { margin: 0 } figcaption { margin-bottom: 4px } img { display: block }
  </style><h1>${address}</h1>${rows.join('')}`)
  const image = await page.screenshot({ fullPage: true })
  await page.close()
  return image
}

function dayFromNow(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
