import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test('a visitor sees public services and is asked to sign in for a favourite', async ({ page }) => {
  await page.goto('/pages/tab/service/index')
  await expect(page.getByRole('heading', { name: '常用服务' })).toBeVisible()
  await page
    .getByRole('button', { name: /，服务说明$/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: '收藏', exact: true }).click()
  await expect(page.getByRole('dialog', { name: '登录后才能收藏' })).toBeVisible()
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('services are browsed by category, described and opened', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await expect(page.getByRole('heading', { name: '最近使用' })).toBeVisible()
    const types = page.getByRole('navigation', { name: '服务分类' })
    await types.getByRole('button', { name: '生活后勤' }).click()
    await expect(page.getByRole('heading', { name: /^生活后勤 · \d+$/ })).toBeVisible()
    await types.getByRole('button', { name: '教务学习' }).click()
    await page.getByRole('button', { name: '我的课表，服务说明' }).click()
    const sheet = page.getByRole('dialog', { name: '我的课表' })
    await expect(sheet.getByText('联系方式')).toBeVisible()
    await sheet.getByRole('button', { name: '打开服务' }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/schedule\/schedule/)
  })

  test('used services are listed', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('button', { name: /^选课系统 / }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
    await page.goBack()
    const types = page.getByRole('navigation', { name: '服务分类' })
    await types.getByRole('button', { name: '最近使用' }).click()
    const used = page.getByRole('list', { name: '最近使用' })
    // Not necessarily first: other tests of this student open services too.
    await expect(used.getByRole('listitem').filter({ hasText: '选课系统' })).toHaveCount(1)
    expect(await axeViolations(page)).toEqual([])
  })

  test('a search can be filtered by department, and going back keeps the filter', async ({
    page,
  }) => {
    await page.goto('/pages/service/search')
    const department = page.getByRole('combobox', { name: '部门' })
    const label = await department.locator('option').nth(1).textContent()
    const [, name = '', count = ''] = /^(.+)（(\d+)）$/.exec(label ?? '') ?? []
    await department.selectOption({ label: label ?? '' })
    const found = page.getByRole('list', { name: '搜索结果' })
    await expect(found.getByRole('listitem')).toHaveCount(Number(count))
    await page.goto('/pages/tab/index/index')
    await page.goBack()
    await expect(department).toHaveValue(/\d/)
    expect(name).not.toBe('')
    expect(await axeViolations(page)).toEqual([])
    await department.selectOption({ label: '全部部门' })
    await expect(found).toHaveCount(0)
  })

  test('an external service opens as a web page inside the app', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('button', { name: /^选课系统 / }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https.*jianglan\.example/)
    // Its name is shown above, whether it can be reached or not.
    const told = page.locator('.web-frame-bar, .web-notice').getByText('选课系统', { exact: true })
    await expect(told.first()).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  })

  test('the time a service was open is recorded on return', async ({ page }) => {
    await page.clock.install()
    await page.goto('/pages/tab/service/index')
    await page.getByRole('button', { name: /^选课系统 / }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
    await page.clock.fastForward('00:40')
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/service/useTime/save'))
    await page.goBack()
    const answer = await saved
    expect(answer.status()).toBe(200)
    expect(answer.request().postDataJSON().seconds).toBeGreaterThanOrEqual(40)
  })

  test('a favourite is shown at once and reverted when the request fails', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('button', { name: '教学评价，服务说明' }).click()
    const star = page.getByRole('dialog').getByRole('button', { name: /收藏/ })
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    const seen = Promise.withResolvers<void>()
    await page.route('**/v1/service/collect', async (route) => {
      await seen.promise
      await route.abort()
    })
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    seen.resolve()
    await expect(star).toHaveAttribute('aria-pressed', 'false')
  })

  test('an empty search uses the default word', async ({ page }) => {
    await page.goto('/pages/service/search')
    const field = page.getByRole('searchbox', { name: '搜索服务' })
    await expect(field).toHaveAttribute('placeholder', '选课')
    await field.press('Enter')
    await expect(field).toHaveValue('选课')
    await expect(page).toHaveURL(/keyWords=%E9%80%89%E8%AF%BE/)
    await expect(page.getByText(/找到 \d+ 项服务/)).toBeVisible()
  })

  test('an empty search shows recommended services, mandatory ones first', async ({ page }) => {
    await page.goto('/pages/service/search')
    const heading = page.getByRole('heading', { name: '推荐服务' })
    const card = page.locator('section').filter({ has: heading })
    await expect(card.getByRole('button').first()).toBeVisible()
    const answer = await page.request.get('/portal-api/v1/service/findForceRecommService', {
      headers: { 'x-id-token': await page.evaluate(() => localStorage.getItem('idToken') ?? '') },
    })
    const forced: { serviceName: string }[] = (await answer.json()).data
    expect(forced.length).toBeGreaterThan(0)
    await expect(card.getByRole('button').first()).toHaveText(forced[0]?.serviceName ?? '')
    await page.getByRole('searchbox').fill('校车')
    await expect(card).toHaveCount(0)
  })

  test('the list shows badges, the description shows tags and a picture', async ({ page }) => {
    await page.route('**/v1/service/getService?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.data.cardImage = '/icon-512.png'
      await route.fulfill({ response, json: body })
    })
    await page.goto('/pages/service/search?keyWords=一卡通')
    const row = page.getByRole('listitem').filter({ hasText: '一卡通' }).first()
    await expect(row).toContainText('热门')
    await expect(row).toContainText('官方')
    await page.goto('/pages/tab/service/index')
    await page
      .getByRole('navigation', { name: '服务分类' })
      .getByRole('button', { name: '教务学习' })
      .click()
    await page.getByRole('button', { name: '我的课表，服务说明' }).click()
    const sheet = page.getByRole('dialog', { name: '我的课表' })
    await expect(sheet.locator('.service-sheet-image')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await sheet.getByRole('link', { name: '搜索“课表”' }).click()
    await expect(page).toHaveURL(/service\/search\?keyWords=/)
    await expect(page.getByRole('list', { name: '搜索结果' })).toContainText('我的课表')
  })

  test('a search keeps its words in the address and in the history', async ({ page }) => {
    await page.goto('/pages/tab/service/index')
    await page.getByRole('link', { name: /^搜索 \d+ 项服务$/ }).click()
    const field = page.getByRole('searchbox', { name: '搜索服务' })
    await expect(field).toBeFocused()
    await field.fill('xiaoche')
    await expect(page).toHaveURL(/keyWords=xiaoche/)
    await expect(field).toBeFocused()
    await expect(page.getByRole('list', { name: '搜索结果' }).getByText('校车')).toBeVisible()
    await field.press('Enter')
    await field.fill('没有这样的服务')
    await expect(page.getByText('没有找到“没有这样的服务”')).toBeVisible()
    await page.getByRole('button', { name: '清空', exact: true }).click()
    await page.getByRole('button', { name: 'xiaoche' }).click()
    await expect(page.getByText(/^找到 \d+ 项服务$/)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  })

  test('the tab renders after two requests without waiting for others', async ({ page }) => {
    const requested: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/v\d\/service\//.test(pathname)) requested.push(pathname)
    })
    // Requests not needed for the content never answer.
    await page.route(/selectMyCollectServices|\/service\/list/, () => {})
    await page.goto('/pages/tab/service/index')
    await expect(page.getByRole('button', { name: /^选课系统 / })).toBeVisible()
    await expect(page.getByRole('heading', { name: '最近使用' })).toBeVisible()
    const needed = requested.filter((path) => !path.endsWith('/selectMyCollectServices'))
    expect(needed.map((path) => path.split('/').at(-1)).toSorted()).toEqual([
      'lastUsed',
      'overview',
    ])
  })

  test('recently used services cause no layout shift when they load', async ({ page }) => {
    const wanted = Promise.withResolvers<void>()
    await page.route('**/service/lastUsed', async (route) => {
      await wanted.promise
      await route.continue()
    })
    await page.goto('/pages/tab/service/index')
    const types = page.getByRole('navigation', { name: '服务分类' })
    await expect(types).toBeVisible()
    const before = await types.boundingBox()
    wanted.resolve()
    await expect(page.getByRole('heading', { name: '最近使用' })).toBeVisible()
    expect(await types.boundingBox()).toEqual(before)
  })

  test('a guide is shown before a service until dismissed; a used service can be rated', async ({
    page,
  }) => {
    const open = async () => {
      await page.goto('/pages/service/search?keyWords=学生证补办')
      await page.getByRole('button', { name: /^学生证补办 / }).click()
    }
    await open()
    await expect(page).toHaveURL(/\/pages\/service\/newGuide\?serviceId=\d+/)
    const { search } = new URL(page.url())
    await expect(page.getByRole('heading', { name: '办事指南' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: '窗口领取' })).toBeVisible()
    await expect(page.getByText('学生事务大厅 3 号窗口')).toBeVisible()
    const download = page.getByRole('link', { name: /学生证补办申请表/ })
    const file = await page.request.get((await download.getAttribute('href')) ?? '')
    expect(file.headers()['content-type']).toBe('application/pdf')
    expect(await axeViolations(page)).toEqual([])
    const dismiss = page.getByRole('switch', { name: '不再提示，下次直接进入' })
    await dismiss.click()
    await expect(dismiss).toBeChecked()
    await page.getByRole('button', { name: '开始办理' }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https/)
    await open()
    await expect(page).toHaveURL(/\/pages\/webview\/webview\?url=https/)

    // Members who have opened it may evaluate it.
    await page.goto(`/pages/service/evaluate${search}`)
    await page.getByRole('button', { name: '写评价' }).click()
    for (const standard of await page.locator('.rate-field').all())
      await standard.getByRole('radio').last().check({ force: true })
    await page.getByRole('button', { name: '提交评价' }).click()
    await expect(page.getByRole('button', { name: '修改评价' })).toBeVisible()
  })

  test('the tabbed guide shows one section at a time', async ({ page, baseURL }) => {
    const found = await page.request.get('/portal-api/v1/service/list?keyWords=学业成绩单', {
      headers: { 'x-id-token': await idToken(baseURL ?? '', 'student') },
    })
    const { data } = await found.json()
    await page.goto(`/pages/service/serviceGuide?serviceId=${data.list[0].serviceId}`)
    await expect(page.getByRole('heading', { name: '办事指南' })).toBeVisible()
    await expect(page.getByText('在校学生与毕业生')).toBeVisible()
    await page.getByRole('tab', { name: '办理流程' }).click()
    await expect(page.getByText('每份 5 元。')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.goto('/pages/service/serviceGuide?serviceId=999999')
    await expect(page.getByText('该服务不存在或未对你开放')).toBeVisible()
    await page.getByRole('link', { name: '看看其他服务' }).click()
    await expect(page).toHaveURL(/\/pages\/tab\/service\/index/)
  })
})

test.describe('with text twice as large on a small phone', () => {
  test.use({ as: 'student', viewport: { width: 320, height: 640 } })

  test('a long name uses the width of its row, and all of 205 services are loaded', async ({
    page,
  }) => {
    await page.addInitScript(() => localStorage.setItem('textSize', '200'))
    const name = '国际化创新型人才培养综合改革试验项目申报与中期检查及结题验收一体化办理平台系统'
    await page.route('**/v1/service/overview*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const [first] = body.data.first.list
      const list = (from: number) =>
        Array.from({ length: 200 }, (_, at) => ({ ...first, serviceId: `${from + at}` }))
      await page.route('**/v1/service/list*', (requested) => {
        const pageNo = Number(new URL(requested.request().url()).searchParams.get('pageNo') ?? 1)
        const part = pageNo === 1 ? list(1) : list(201).slice(0, 5)
        const data = { list: part, total: 205, pageNo, pageSize: 200 }
        return requested.fulfill({ json: { code: 0, message: '', data } })
      })
      first.serviceName = name
      for (const service of body.data.common) service.serviceName = name
      for (const type of body.data.types) if (type.id === first.typeId) type.count = 205
      await route.fulfill({ response, json: body })
    })
    await page.goto('/pages/tab/service/index')
    const row = page.getByRole('list', { name: '教务学习' }).getByRole('listitem')
    await expect(row.first()).toContainText(name)
    const text = await row.first().locator('.service-row-name').boundingBox()
    expect(text?.width).toBeGreaterThan(200)
    const acts = row.first().locator('.service-row-act')
    expect((await acts.first().boundingBox())?.y).toBe((await acts.last().boundingBox())?.y)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    // The rest is loaded near the end of the list.
    await row.last().scrollIntoViewIfNeeded()
    await expect(row).toHaveCount(205)
    expect(await axeViolations(page)).toEqual([])
  })
})

test.describe('signed in as another member', () => {
  test.use({ as: 'teacher' })

  test('a service that receives member data asks for consent, then gets a token', async ({
    page,
  }) => {
    await page.goto('/pages/service/search?keyWords=我的借阅')
    const service = page.getByRole('button', { name: /^我的借阅 / })
    await service.click()
    const dialog = page.getByRole('dialog', { name: '授权图书馆获取信息' })
    await expect(dialog.getByText('身份类型')).toBeVisible()
    await expect(dialog.getByText('用途：办理借阅、预约与到期提醒')).toBeVisible()
    await dialog.getByRole('button', { name: '不同意' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/service\/search/)
    await service.click()
    await dialog.getByRole('button', { name: '同意并进入' }).click()
    await expect(page).toHaveURL(/webview\?url=https%3A%2F%2Flib\.jianglan.*token%3Dey/)
  })
})
