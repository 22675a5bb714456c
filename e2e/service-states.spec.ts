import { endpoints } from '@atrium/contract'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { idToken, type Username } from './session.ts'
import { expect, test } from './test.ts'

/** Kinds of answers for these screens; `hold` never answers. */
type Mode = 'fair' | 'hold' | 'broken' | 'empty'

const contents = [
  endpoints.services,
  endpoints.favourites,
  endpoints.history,
  endpoints.aggregation,
].flatMap((table) => Object.values(table).map(({ path }) => path))

/** Routes these screens' content, answering according to the current mode. */
async function simulateModes(page: Page) {
  let mode: Mode = 'fair'
  await page.route(
    ({ pathname }) => contents.includes(pathname),
    async (route) => {
      if (mode === 'hold') return
      if (mode === 'broken') return route.abort()
      if (mode === 'fair') return route.continue()
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, data: emptied(body.data) } })
    },
  )
  return (next: Mode) => {
    mode = next
  }
}

function emptied(data: unknown): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return data
  const inner = Object.entries(data).map(([key, value]) => [
    key,
    key === 'total' || key === 'hidden' ? 0 : emptied(value),
  ])
  return Object.fromEntries(inner)
}

/** Pulls the page down with a finger to refresh it. */
async function pullDown(page: Page) {
  const protocol = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    protocol.send('Input.dispatchTouchEvent', { type, touchPoints: y ? [{ x: 200, y }] : [] })
  await touch('touchStart', 140)
  for (const y of [200, 280, 360, 440]) await touch('touchMove', y)
  await touch('touchEnd')
}

/** Reads an article as this member, to create a history. */
async function readArticle(page: Page, baseURL: string, as: Username) {
  const headers = { 'x-id-token': await idToken(baseURL, as) }
  const { list, countRead } = endpoints.news
  const found = await page.request.get(`${list.path}?pageSize=1`, { headers })
  const { id } = (await found.json()).data.list[0]
  const counted = await page.request.post(countRead.path.replace('{id}', id), { headers })
  expect(counted.status()).toBe(200)
}

const screens = {
  services: {
    address: '/pages/tab/service/index',
    empty: { zh: '还没有可用的服务', en: 'No services' },
  },
  ranking: {
    address: '/pages/service/ranking',
    empty: { zh: '这段时间还没有排行', en: 'No ranking' },
  },
  themes: {
    address: '/pages/service/aggregationService',
    empty: { zh: '还没有专题', en: 'No collections' },
  },
  favourites: {
    address: '/pagesA/myFavorite/myFavorite',
    empty: { zh: '还没有收藏服务', en: 'No favourite services' },
  },
  history: {
    address: '/pagesA/newsHistory/newsHistory',
    empty: { zh: '还没有浏览记录', en: 'Nothing read' },
  },
}

// Everybody sees the services tab; each of the other screens is checked by one account.
const roles: [Username | undefined, (keyof typeof screens)[]][] = [
  [undefined, ['services', 'ranking']],
  ['student', ['services', 'favourites']],
  ['teacher', ['services', 'themes']],
  ['staff', ['services', 'history']],
]
const languages = {
  zh: { locale: 'zh-CN', failed: '没有加载成功', retry: '重试', stale: /网络不畅，这是 .+ 的内容/ },
  en: {
    locale: 'en-US',
    failed: 'This could not be loaded',
    retry: 'Try again',
    stale: /Poor connection. This content is from .+/,
  },
} as const

for (const [as, shown] of roles)
  for (const language of ['zh', 'en'] as const) {
    const { locale, failed, retry, stale } = languages[language]
    test.describe(`${as ?? 'a visitor'}, ${language}`, () => {
      test.use({ as, locale })
      for (const name of shown)
        test(`${name} shows its loading, error, empty, loaded and stale states`, async ({
          page,
          baseURL,
        }) => {
          const { address, empty } = screens[name]
          if (name === 'history' && as) await readArticle(page, baseURL ?? '', as)
          const turn = await simulateModes(page)
          turn('hold')
          await page.goto(address)
          await expect(page.locator('.skeleton').first()).toBeVisible()

          turn('broken')
          await page.reload()
          const failure = page.getByRole('alert').filter({ hasText: failed })
          await expect(failure).toBeVisible()
          expect(await axeViolations(page)).toEqual([])

          turn('empty')
          await failure.getByRole('button', { name: retry }).click()
          await expect(page.locator('.state-title')).toContainText(empty[language])
          expect(await axeViolations(page)).toEqual([])

          turn('fair')
          await pullDown(page)
          const rows = page.getByRole('main').getByRole('listitem')
          await expect(rows.first()).toBeVisible()
          expect(await axeViolations(page)).toEqual([])

          turn('broken')
          await pullDown(page)
          await expect(page.getByText(stale).first()).toBeVisible()
          await expect(rows.first()).toBeVisible()
        })
    })
  }
