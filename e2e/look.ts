// Photographs screens onto contact sheets, look/<area>-<screen>-<language>.png, with the single screenshots in
// look/<area>-<screen>/. Started by scripts/look.mjs with the names of areas, or without one for all; `--width 1280`,
// `--language en` and `--condition long` restrict the set; `--as teacher` uses another demo account than the screen's own.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { endpoints } from '@atrium/contract'
import type { EndpointTable } from '@atrium/contract/define'
import { type Browser, chromium, type Page, type Route } from '@playwright/test'
import { launchOptions } from './browser.ts'
import { withoutStream } from './quiet.ts'
import { openingAddress, type Screen, screens, visitorOf } from './screens.ts'
import { startServer } from './server.ts'
import { storedSession, type Username } from './session.ts'

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'look')
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
    condition: { type: 'string', multiple: true },
    as: { type: 'string' },
  },
})
const widths = [320, 375, 768, 1280].filter((width) => options.width?.includes(`${width}`) ?? true)
const minHeight = 700
const maxHeight = 1600
const locales = { zh: 'zh-CN', en: 'en-US' } as const
type Language = keyof typeof locales
const languages = (Object.keys(locales) as Language[]).filter(
  (language) => options.language?.includes(language) ?? true,
)
const allConditions = [
  'content',
  'dark',
  'empty',
  'failed',
  'long',
  'text 200 %',
  'visitor',
] as const
type Condition = (typeof allConditions)[number]
const conditions = allConditions.filter(
  (condition) => options.condition?.some((text) => condition.includes(text)) ?? true,
)

/** Pages of the product that are not screens of the portal. */
const otherPages: Record<string, Screen> = { '/cas/login': { area: 'login', access: 'public' } }

/** Areas that always answer; only content fails or is empty. */
const shellAreas = ['config', 'identity', 'centralLogin']
const contentPaths = Object.entries<EndpointTable>(endpoints)
  .filter(([area]) => !shellAreas.includes(area))
  .flatMap(([, table]) => Object.values(table))
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
const isContent = (url: URL) => contentPaths.some((path) => path.test(url.pathname))

const every = Object.entries({ ...screens, ...otherPages })
const areas = new Set(every.map(([, screen]) => screen.area))
const unknown = positionals.filter((area) => !areas.has(area))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}. Areas: ${[...areas].join(', ')}`)
  process.exit(1)
}
const chosen = every.filter(
  ([, screen]) => positionals.length === 0 || positionals.includes(screen.area),
)

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
  const full = await openingAddress(server.url, address, screen)
  if (!full) {
    console.error(`${address} needs more than an id: say in e2e/screens.ts where from.`)
    process.exitCode = 1
    return
  }
  const name = [screen.area, ...address.split('/').slice(-2)].join('-')
  const jobs = languages.flatMap((language) =>
    conditions
      .filter((condition) => condition !== 'visitor' || screen.access === 'guest')
      .map((condition) => ({ language, condition })),
  )
  const account = (options.as as Username | undefined) ?? visitorOf(address, screen)
  const photographs: Photograph[] = []
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const images = await photograph(browser, full, account, job.language, job.condition)
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
  for (const language of languages) {
    const ofLanguage = photographs.filter((photo) => photo.language === language)
    await writeFile(`${single}-${language}.png`, await contactSheet(browser, address, ofLanguage))
    console.log(`look/${name}-${language}.png`)
  }
}

async function photograph(
  browser: Browser,
  address: string,
  account: Username | undefined,
  language: Language,
  condition: Condition,
) {
  const settings = {
    language,
    ...(condition === 'text 200 %' && { textSize: '200' }),
    ...(condition === 'dark' && { scheme: 'dark' }),
  }
  const context = await browser.newContext({
    baseURL: server.url,
    locale: locales[language],
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    hasTouch: true,
    // pages rendered by the server without a cookie from the portal follow the device
    ...(condition === 'dark' && { colorScheme: 'dark' }),
    storageState: await storedSession(
      server.url,
      condition === 'visitor' ? undefined : account,
      settings,
    ),
  })
  await withoutStream(context)
  if (condition === 'empty') await context.route(isContent, withChangedData(emptyOf))
  if (condition === 'long') await context.route(isContent, withChangedData(longOf))
  if (condition === 'failed') await context.route(isContent, (route) => route.abort())
  const page = await context.newPage()
  const images: Buffer[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: minHeight })
    if (width === widths[0]) await page.goto(address)
    await settle(page)
    // As tall as the content, so that elements fixed to the bottom do not cover it.
    const content = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(content, minHeight), maxHeight) })
    await page.waitForTimeout(100)
    images.push(await page.screenshot())
  }
  // Do not wait for pending requests.
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
  return images
}

/** Waits until nothing is loading: no skeletons, all pictures loaded, no animation. */
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

/** The server's answer with modified data. */
function withChangedData(change: (data: unknown) => unknown) {
  return async (route: Route) => {
    const response = await route.fetch()
    const body = await response.json().catch(() => undefined)
    if (body === undefined) return route.fulfill({ response })
    await route.fulfill({ response, json: { ...body, data: change(body.data) } })
  }
}

/** The same structure without content: empty lists, zero counts. */
function emptyOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return []
  if (typeof value === 'number') return /total|count|^$/i.test(name) ? 0 : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptyOf(inner, key)]))
}

/** The same structure with names and titles of triple length, including a very long word. */
function longOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => longOf(inner, name))
  if (typeof value === 'string')
    return /(name|title|text|summary|place|department|note|label)(En)?$/i.test(name) &&
      !/^$|^[a-z][\w-]*$|\//.test(value)
      ? `${value} ${value} ${/En$/.test(name) ? 'Electroencephalographically' : '国际化创新型人才培养综合改革试验'}`
      : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, longOf(inner, key)]))
}

async function contactSheet(browser: Browser, address: string, photographs: Photograph[]) {
  const figure = (photo: Photograph) => {
    const scale = photo.width > 500 ? 0.4 : 0.75
    const source = `data:image/png;base64,${photo.image.toString('base64')}`
    return `<figure><figcaption>${photo.language} ${photo.width} ${photo.condition}</figcaption><img width="${photo.width * scale}" src="${source}"></figure>`
  }
  const rows = conditions.map((condition) => {
    const row = photographs.filter((photo) => photo.condition === condition)
    return `<div>${row.map(figure).join('')}</div>`
  })
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } })
  await page.setContent(`<style>
    body { margin: 16px; background: #777; color: #fff; font: 14px sans-serif }
    div { display: flex; gap: 8px; align-items: start; margin-bottom: 16px }
    figure { margin: 0 } figcaption { margin-bottom: 4px } img { display: block }
  </style><h1>${address}</h1>${rows.join('')}`)
  const image = await page.screenshot({ fullPage: true })
  await page.close()
  return image
}
