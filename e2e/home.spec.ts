import { axeViolations } from './axe.ts'
import { watchRequests, withoutStream } from './quiet.ts'
import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

test('a visitor sees public news and notices and a sign-in button', async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(main.getByRole('button', { name: '登录' })).toBeVisible()
  await expect(main.getByRole('tab', { name: '要闻' })).toHaveAttribute('aria-selected', 'true')
  await expect(main.getByRole('heading', { name: '待办' })).toHaveCount(0)
  await main.getByRole('region', { name: '通知' }).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText(/有效至/)).toBeVisible()
})

test('the search suggestion is in the language of the page', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto('/')
  await expect(
    page.getByRole('link', { name: /^Try: (campus map|academic calendar)$/ }),
  ).toBeVisible()
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('the home page loads its content in one request', { tag: '@desktop' }, async ({ page }) => {
    // A cached card that is too old is requested separately.
    await withoutStream(page.context())
    const quiet = watchRequests(page)
    await page.goto('/')
    await quiet()
    const requested: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(portal-api|message|schedule|transaction|personal)\//.test(pathname))
        requested.push(pathname)
    })
    await page.reload()
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toContainText('林知夏')
    await expect(main.getByText(/教学周|周[一二三四五六日]/).first()).toBeVisible()
    await expect(main.getByRole('heading', { name: /^(今天|明天)/ })).toBeVisible()
    await expect(main.getByRole('heading', { name: '待办' })).toBeVisible()
    await expect(main.getByText('¥128.40')).toBeVisible()
    const forContent = requested.filter((path) => !path.includes('/config/'))
    expect(forContent).toEqual(['/portal-api/v1/home'])
  })

  test('slides are shown and open their links', async ({ page }) => {
    await withSettings(page, { ENV_ENABLE_SLIDESHOW: '1' })
    await page.goto('/')
    const slides = page.getByRole('region', { name: '校园动态' })
    await expect(slides.getByRole('group')).toHaveCount(3)
    await slides.getByRole('link', { name: /选课预选/ }).click()
    await expect(page).toHaveURL(/\/pages\/service\/search\?keyWords=/)
  })

  test('slides are not requested when disabled', async ({ page }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto('/')
    await expect(page.getByRole('tab', { name: '要闻' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(requested).toContain('/portal-api/v1/home')
    expect(requested).not.toContain('/portal-api/v1/slideshow')
  })

  test('the home page renders without slides when they cannot be loaded', async ({ page }) => {
    await withSettings(page, { ENV_ENABLE_SLIDESHOW: '1' })
    await page.route('**/slideshow', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('tab', { name: '要闻' })).toBeVisible()
    await expect(page.locator('.slideshow')).toHaveCount(0, { timeout: 15_000 })
  })

  test('the notice card can be dismissed, and a dismissed notice does not return', async ({
    page,
  }) => {
    await page.goto('/')
    const card = page.getByRole('region', { name: '最新通知' })
    const title = await card.getByRole('button').first().textContent()
    await card.getByRole('button', { name: '收起' }).press('Enter')
    await expect(card).toHaveCount(0)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: '请假' })).toBeFocused()
    await page.reload()
    await expect(card).not.toContainText(title ?? '')
    await card.getByRole('button').first().click()
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(card).toHaveCount(0)
  })

  test('selecting a news column shows its articles and links to its list', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('tab', { name: '学术' }).click()
    await expect(page.getByRole('tabpanel', { name: '学术' }).getByRole('listitem')).toHaveCount(6)
    await page.getByRole('link', { name: '查看更多资讯' }).click()
    await expect(page).toHaveURL(/\/pagesA\/news\/news\?columnCode=academic/)
    await expect(page.getByRole('tab', { name: '学术' })).toHaveAttribute('aria-selected', 'true')
  })

  test('a failed section shows an error, leaves the others visible and can be retried', async ({
    page,
  }) => {
    await page.route('**/portal-api/v1/home', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      await route.fulfill({ json: { ...body, data: { ...body.data, today: null, todo: null } } })
    })
    await page.goto('/')
    await expect(page.getByText('这部分暂时无法显示')).toHaveCount(2)
    await expect(page.getByRole('tab', { name: '要闻' })).toBeVisible()
    await page.unroute('**/portal-api/v1/home')
    await page.getByRole('button', { name: '重试' }).first().click()
    await expect(page.getByText('这部分暂时无法显示')).toHaveCount(0)
  })
})

test.describe('a member who customises the home page', () => {
  test.use({ as: 'reviewer' })

  test('moves and hides blocks by keyboard, and restores the default layout', async ({ page }) => {
    await page.goto('/pages/set/set')
    await page.getByRole('link', { name: '首页布局' }).click()
    const list = page.getByRole('list', { name: '首页布局' })
    const blocks = list.getByRole('listitem')
    await expect(blocks).toHaveCount(6)
    const up = list.getByRole('button', { name: '上移“资讯”' })
    for (let place = 5; place > 0; place--) {
      await up.press('Enter')
      await expect(blocks.nth(place - 1)).toContainText('资讯')
    }
    await expect(page.getByRole('status').filter({ hasText: '“资讯”移到了第 1 位' })).toHaveCount(1)
    await expect(up).toBeFocused()
    const saved = page.waitForResponse(
      (answer) => answer.request().postData()?.includes('"notices","shown":false') ?? false,
    )
    await list.getByRole('switch', { name: '通知' }).press('Space')
    expect((await saved).status()).toBe(200)
    expect(await axeViolations(page)).toEqual([])

    await page.goto('/pages/tab/index/index')
    await expect(page.getByRole('heading', { name: '常用服务' })).toBeVisible()
    const headings = page.locator('main:visible h2')
    const names = async () => (await headings.allTextContents()).map((name) => name.trim())
    await expect.poll(names).toContain('资讯')
    await expect
      .poll(async () => (await names()).indexOf('资讯') < (await names()).indexOf('常用服务'))
      .toBe(true)
    await expect(page.getByRole('region', { name: '通知' })).toHaveCount(0)

    await page.goto('/pages/set/home')
    await page.getByRole('button', { name: '恢复默认布局' }).click()
    await expect(blocks.first()).toContainText('常用服务')
    await expect(list.getByRole('switch', { name: '通知' })).toBeChecked()
    await expect(page.getByRole('button', { name: '恢复默认布局' })).toHaveCount(0)
  })
})
