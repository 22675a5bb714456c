import type { Page, Route } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.describe('the image viewer', () => {
  const three = '/preview-image?urls=/files/1,/files/2,/files/3&current=1'

  test('starts with the requested picture, moves by arrow keys and closes with Escape', async ({
    page,
  }) => {
    await page.goto('/pages/about/about')
    await page.evaluate((to) => history.pushState({ depth: 1, key: 'a' }, '', to), three)
    await page.reload()
    await expect(page.getByText('2 / 3', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('3 / 3', { exact: true })).toBeVisible()
    await page.waitForTimeout(300)
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText('3 / 3', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/about/)
  })

  test('zooms in with + and a double tap, and out with −', async ({ page }) => {
    await page.goto(three)
    const picture = page.locator('.yarl__slide_current .yarl__slide_wrapper')
    const scale = () =>
      picture.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a)
    await expect(page.getByRole('button', { name: '放大' })).toBeEnabled()
    await page.keyboard.press('+')
    await expect.poll(scale).toBeGreaterThan(1.5)
    await page.keyboard.press('-')
    await expect.poll(scale).toBe(1)
    await picture.locator('img').dblclick()
    await expect.poll(scale).toBeGreaterThan(1.5)
  })

  test('can be swiped and pinched', async ({ page }) => {
    await page.goto(three)
    await expect(page.getByRole('button', { name: '放大' })).toBeEnabled()
    const touch = await page.context().newCDPSession(page)
    const fingers = (type: string, ...points: [number, number][]) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    // Within the first half second of a document, the viewer takes a touch for the second of a double tap.
    await page.waitForFunction(() => performance.now() > 600)
    await fingers('touchStart', [300, 420])
    for (const x of [260, 200, 140, 80]) await fingers('touchMove', [x, 420])
    await fingers('touchEnd')
    await expect(page.getByText('3 / 3', { exact: true })).toBeVisible()
    await page.waitForTimeout(400)
    await fingers('touchStart', [180, 420], [210, 420])
    for (const by of [20, 50, 80]) await fingers('touchMove', [180 - by, 420], [210 + by, 420])
    await fingers('touchEnd')
    await expect
      .poll(() =>
        page
          .locator('.yarl__slide_current .yarl__slide_wrapper')
          .evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a),
      )
      .toBeGreaterThan(1.5)
  })

  test('shows only pictures of the portal’s origin', async ({ page }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto('/preview-image?urls=https://evil.example/1.png,//evil.example/2.png')
    await expect(page.getByText('没有可以显示的图片')).toBeVisible()
    expect(
      requested.filter((url) => url.includes('evil') && !url.includes('preview-image')),
    ).toEqual([])
  })

  test('shows an error when a picture cannot be loaded', async ({ page }) => {
    await page.goto('/preview-image?urls=/files/999999')
    await expect(page.getByText('图片没有加载出来')).toBeVisible()
  })

  test('opens from an article by keyboard and restores the focus', async ({ page }) => {
    await page.goto('/')
    await page
      .locator('.article-card a')
      .filter({ has: page.locator('img') })
      .first()
      .click()
    const picture = page.getByRole('main').getByRole('button', { name: '查看大图' }).first()
    await picture.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/preview-image/)
    await expect(page.getByRole('group').getByRole('img')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: '关闭' }).click()
    await expect(picture).toBeFocused()
  })
})

const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

/** Simulates a configured tile server; `answer` handles its requests. */
async function withTiles(page: Page, answer: (route: Route) => Promise<void>) {
  await page.route(/config\/(getDetail|system\/getSystemConf)/, async (route) => {
    const body = await (await route.fetch()).json()
    for (const entry of Array.isArray(body.data) ? body.data : body.data.publicConfig)
      if (entry.key === 'mapTileUrl') entry.value = 'https://tiles.example.edu/{z}/{x}/{y}.png'
    await route.fulfill({ json: body })
  })
  await page.route('**/portal-api/v1/map/tiles/**', answer)
}

test.describe('choosing a place', () => {
  test('finds a place by search without a map', async ({ page }) => {
    await page.goto('/choose-location')
    await expect(page.getByRole('region', { name: '地图' })).toHaveCount(0)
    await page.getByRole('searchbox', { name: '搜索地点' }).fill('食堂')
    await expect(page.getByRole('list', { name: '地点' }).getByRole('listitem')).toHaveCount(3)
    await page.getByRole('button', { name: /第二食堂/ }).click()
    await page.getByRole('button', { name: '查看位置' }).click()
    await expect(page).toHaveURL(/open-location\?latitude=29\.4\d+&longitude=120\.2\d+&name=/)
    await expect(page.getByRole('heading', { name: '第二食堂' })).toBeVisible()
  })

  test('shows a message when the search finds nothing', async ({ page }) => {
    await page.goto('/choose-location')
    await page.getByRole('searchbox').fill('<b>火星</b>')
    await expect(page.getByText('没有找到“<b>火星</b>”')).toBeVisible()
  })

  test('lists the nearest places first on request', async ({ page, context }) => {
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: 29.4655, longitude: 120.2571 })
    await page.goto('/choose-location')
    const rows = page.getByRole('list', { name: '地点' }).getByRole('listitem')
    await expect(rows.first()).toContainText('南门')
    await page.getByRole('button', { name: '我的位置' }).click()
    await expect(rows.first()).toContainText('医学楼')
    await expect(rows.first()).toContainText('70 米')
    await expect(rows.last()).toContainText('公里')
  })

  test('selects a point on the map', async ({ page }) => {
    await withTiles(page, (route) => route.fulfill({ body: tile, contentType: 'image/png' }))
    await page.goto('/choose-location')
    const map = page.getByRole('region', { name: '地图' })
    await expect(map.locator('.leaflet-tile-loaded').first()).toBeVisible()
    await expect(map.getByText('地图数据 tiles.example.edu')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await map.click({ position: { x: 200, y: 300 } })
    await expect(page.getByText('地图上选的位置')).toBeVisible()
    await page.getByRole('button', { name: '查看位置' }).click()
    await expect(page.getByRole('heading', { name: '地图上选的位置' })).toBeVisible()
  })

  test('falls back to the list when no tiles load', async ({ page }) => {
    await withTiles(page, (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/choose-location')
    await expect(page.getByText('地图暂时无法显示')).toBeVisible()
    await expect(page.getByRole('button', { name: /图书馆主馆/ })).toBeVisible()
  })
})

test.describe('places nearby', () => {
  const list = (page: Page) => page.getByRole('list', { name: '地点' }).getByRole('listitem')

  test('are sorted by name, or by distance once the location is known', async ({
    page,
    context,
  }) => {
    await page.goto('/pages/map/places')
    await expect(page.getByRole('status').filter({ hasText: '按名称排列' })).toBeVisible()
    const names = (await list(page).allInnerTexts()).map((row) => row.split('\n')[0] ?? '')
    expect(names).toEqual([...names].sort(new Intl.Collator('zh-CN', { numeric: true }).compare))
    expect(await axeViolations(page)).toEqual([])
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: 29.4655, longitude: 120.2571 })
    await page.getByRole('button', { name: '由近到远' }).click()
    await expect(list(page).first()).toContainText('医学楼')
    await expect(list(page).first()).toContainText('70 米')
    // A granted permission is not requested again.
    await page.reload()
    await expect(list(page).first()).toContainText('医学楼')
  })

  test('stay sorted by name without a location', async ({ page }) => {
    await page.goto('/pages/map/places')
    await expect(list(page).first()).toBeVisible()
    const places = await list(page).allTextContents()
    await page.getByRole('button', { name: '由近到远' }).click()
    await expect(page.getByText(`没有获取到位置，${places.length} 个地点按名称排列`)).toBeVisible()
    await expect(list(page)).toHaveText(places)
  })

  test('are filtered by kind and opening hours, and link to hours and navigation', async ({
    page,
  }) => {
    // Tuesday noon at the institution: the canteens are open, the gates have no hours.
    await page.clock.setFixedTime('2026-11-24T04:00:00Z')
    await page.goto('/pages/map/places')
    await page.getByRole('button', { name: '餐饮' }).click()
    await expect(list(page)).toHaveCount(3)
    await expect(list(page).first()).toContainText('开放中，13:00 关门')
    await page.getByRole('button', { name: '现在开放' }).click()
    await expect(list(page)).toHaveCount(3)
    await page.getByRole('button', { name: '餐饮' }).click()
    await page.getByRole('button', { name: '校门' }).click()
    await expect(page.getByText('没有符合条件的地点')).toBeVisible()
    await page.getByRole('button', { name: '查看全部' }).click()
    await page.getByRole('searchbox', { name: '搜索地点' }).fill('图书馆主馆')
    await expect(list(page)).toHaveCount(1)
    await list(page).getByRole('link').click()
    await expect(page).toHaveURL(/open-location/)
    await expect(page.getByText('开放中，22:00 关门')).toBeVisible()
    await expect(page.getByText('周一至周五')).toBeVisible()
    for (const app of ['高德', '腾讯', '百度'])
      await expect(page.getByRole('button', { name: `用${app}地图导航` })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('searchbox')).toHaveValue('图书馆主馆')
  })
})

test.describe('showing a place', () => {
  const library =
    '/open-location?latitude=29.4312&longitude=120.2846&name=图书馆&address=学府路 1 号'

  test('copies its coordinates, and opens a map app through the warning page', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(library)
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: '复制坐标' }).click()
    await expect.poll(copied).toBe('29.4312,120.2846')
    await page.getByRole('button', { name: '复制地址' }).click()
    await expect.poll(copied).toBe('学府路 1 号')
    await page.getByRole('button', { name: '用高德地图导航' }).click()
    await expect(page).toHaveURL(/webview\?url=https%3A%2F%2Furi\.amap\.com/)
  })

  for (const query of [
    '',
    'latitude=91&longitude=0',
    'latitude=x&longitude=y',
    'latitude=1e1&longitude=NaN',
    'latitude=29.4',
  ]) {
    test(`shows a page that leads home for invalid coordinates: ${query || 'none'}`, async ({
      page,
    }) => {
      await page.goto(`/open-location?${query}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('button', { name: /返回首页|首页/ }).first()).toBeVisible()
    })
  }

  test('truncates a long name', async ({ page }) => {
    await page.goto(`/open-location?latitude=0&longitude=0&name=${'长'.repeat(1500)}`)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('长'.repeat(200))
  })
})
