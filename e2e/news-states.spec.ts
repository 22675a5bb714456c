import { endpoints } from '@atrium/contract'
import type { EndpointTable } from '@atrium/contract/define'
import type { Page } from '@playwright/test'
import { isForOperators, openingAddress, type Screen, screens } from './screens.ts'
import { storedSession, type Username } from './session.ts'
import { expect, test } from './test.ts'

const areas = ['news', 'article', 'files', 'mailbox']
/** All screens of these areas for readers, and the target of shared articles. */
const chosen = Object.entries(screens).filter(
  ([address, screen]) =>
    (areas.includes(screen.area) && !isForOperators(address, screen)) ||
    address === '/pagesA/news/midTrans',
)
/** Their requests to the server, matched by full path. */
const content = ['news', 'files', 'letters', 'comments', 'share', 'appGroups', 'notices']
  .flatMap((area) => Object.values((endpoints as Record<string, EndpointTable>)[area] ?? {}))
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
const isContent = (url: URL) => content.some((path) => path.test(url.pathname))

const addressesOf = (url: string, list: [string, Screen][]) =>
  Promise.all(
    list.map(async ([address, screen]) => String(await openingAddress(url, address, screen))),
  )

async function enter(page: Page, url: string, username: Username | undefined) {
  const { origins } = await storedSession(url, username)
  await page.addInitScript(
    (stored) => {
      for (const { name, value } of stored) localStorage.setItem(name, value)
    },
    origins.flatMap(({ localStorage }) => localStorage),
  )
}

for (const username of [undefined, 'student', 'teacher', 'staff'] as const)
  test(`${username ?? 'a visitor'} can open every permitted screen of news and files`, async ({
    page,
    baseURL,
  }) => {
    const url = String(baseURL)
    await enter(page, url, username)
    const issues: string[] = []
    page.on('pageerror', (error) => issues.push(error.message))
    const theirs = chosen.filter(([, { access }]) => username || access !== 'member')
    for (const address of await addressesOf(url, theirs)) {
      await page.goto(address)
      await expect(page.locator('h1:visible')).toHaveCount(1)
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect(page.getByText('没有加载成功')).toHaveCount(0)
    }
    expect(issues).toEqual([])
  })

/** Empty state of each screen with a list. */
const emptyTexts: Record<string, [string, string]> = {
  '/pagesA/news/news': ['这里还没有资讯', 'No news here yet'],
  '/pages/newsInfo/newsInfo': ['这里还没有资讯', 'No news here yet'],
  '/pages/msgCenterTab/news/news': ['这里还没有资讯', 'No news here yet'],
  '/pages/channel/channel': ['这里还没有资讯', 'No news here yet'],
  '/msgCenter/pages/news/personalSettingCenter': ['还没有栏目', 'No columns yet'],
  '/msgCenter/pages/news/adjustmentOrder': ['还没有栏目', 'No columns yet'],
  '/msgCenter/pages/news/applicationGroup': [
    '还没有消息应用',
    'No apps have sent you messages yet',
  ],
  '/msgCenter/pages/news/throughTrain': ['还没有写过信', 'No letters yet'],
  '/pages/search/news': ['输入词语搜索资讯', 'Type words to search the news'],
  '/pages/myInfo/files': ['还没有上传过文件', 'No files yet'],
}

/** The same structure without items. */
const emptied = (data: unknown) =>
  Array.isArray(data)
    ? []
    : Object.fromEntries(
        Object.entries(data as object).map(([name, value]) => [
          name,
          Array.isArray(value) ? [] : value,
        ]),
      )

for (const [place, [locale, failed, retry]] of [
  ['zh-CN', '没有加载成功', '重试'],
  ['en-US', 'This could not be loaded', 'Try again'],
].entries())
  test.describe(String(locale), () => {
    test.use({ locale, as: 'student' })

    test('every screen of news and files shows its loading, error and empty states', async ({
      page,
      baseURL,
    }) => {
      const addresses = await addressesOf(String(baseURL), chosen)
      expect(addresses).toEqual(expect.arrayContaining(Object.keys(emptyTexts)))
      for (const address of addresses) {
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route(isContent, async (route) => {
          await released
          // A missing network is retried once; in the other language one answer is enough to see its words.
          if (place === 0) return route.abort()
          await route.fulfill({
            status: 422,
            json: { code: 422, error: 'request.invalid', message: 'x', data: null },
          })
        })
        await page.goto(address)
        await expect(page.locator('.skeleton').first()).toBeVisible()
        release()
        await expect(page.getByText(String(failed)).first()).toBeVisible()
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        const words = emptyTexts[address]?.[place]
        if (words)
          await page.route(isContent, async (route) => {
            const answer = await route.fetch()
            const body = await answer.json()
            await route.fulfill({ response: answer, json: { ...body, data: emptied(body.data) } })
          })
        await page
          .getByRole('button', { name: String(retry) })
          .first()
          .click()
        await expect(page.getByText(String(failed))).toHaveCount(0)
        if (words) await expect(page.getByText(words)).toBeVisible()
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
    })
  })
