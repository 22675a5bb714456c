import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

/** Stored as JSON on the device, where an older version or another program may have left other content. */
const keys = [
  'platFormConfig',
  'totalCount',
  'cache_taskNum',
  'myInfo',
  'savedIconMap',
  'opnePageList',
  'touristOpnePageList',
  'openPageids',
  'opnePageFrequency',
  'fenliuInfo',
  'cache_theme_tabbarConfig',
  'idTokenSince',
  'lastPageAt',
  'pcOfferClosed',
  'eventQueue',
  'hostBackButton',
  'textSize',
  'articleTextSize',
  'newsVisitRecordings',
  'readedIds',
  'shareNamed',
  'kept:serviceSearches',
]

test.use({ as: 'student' })

for (const value of ['{broken', 'null', '7', '{}', '[null]', '[{}]', '{"footTabs":7}'])
  test(`pages render with corrupt values in local storage: ${value}`, async ({ page }) => {
    const issues: string[] = []
    page.on('pageerror', ({ message }) => issues.push(message))
    await withSettings(page, { ENV_ENABLE_MOBILE_FESTIVAL_THEME: '1' })
    await page.route('**/v1/theme/current', (route) => route.abort())
    await page.addInitScript(
      ([keys, value]) => {
        for (const key of keys) localStorage.setItem(key, value)
      },
      [keys, value] as const,
    )
    for (const [address, heading] of [
      ['/', /林知夏/],
      ['/pages/service/search', '搜索服务'],
      // Without pages to show, these two lead home.
      ['/pages/openPage/openPage', /林知夏/],
      ['/pages/fenliu/fenliu', /林知夏/],
    ] as const) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    }
    expect(issues).toEqual([])
  })

test.describe('a visitor with an incompatible stored response', () => {
  test.use({ as: undefined })

  test('sees a support code, and a retry loads the page again', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
    // The server painted that; the app has started once it has stored the answers.
    const keepsHome = () =>
      page.evaluate(() => Object.keys(localStorage).some((key) => /^kept::.*v1\/home/.test(key)))
    await expect.poll(keepsHome).toBe(true)
    // The server does not answer before the app has drawn its cached content.
    await page.route(/getSystemConf|\/v1\/home$/, () => {})
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (/^kept:.*:\[/.test(key))
          localStorage.setItem(key, JSON.stringify({ at: 1, data: { notices: 7 } }))
    })
    const written: string[] = []
    page.on('console', (message) => written.push(message.text()))
    await page.reload()
    // The member sees a short code, which the console explains.
    const code = /^问题编号 ([0-9A-Z]{7})$/.exec(
      (await page.getByText(/^问题编号/).textContent()) ?? '',
    )?.[1]
    expect(written).toContainEqual(expect.stringMatching(`^Support code ${code} .*Error`))
    const again = page.getByRole('button', { name: '重试' })
    await expect(again).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await again.click()
    await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  })
})
