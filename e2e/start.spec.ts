import { idToken } from './session.ts'
import { withSettings } from './settings.ts'
import { expect, test } from './test.ts'

const home = '/pages/tab/index/index'

test('a token in the address signs a visitor in, and is gone from the address', async ({
  page,
  baseURL,
}) => {
  const token = await idToken(baseURL ?? '', 'student')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`/pages/myInfo/myInfo?idToken=${token}`)
  await expect(page.getByText('林知夏').first()).toBeVisible()
  expect(page.url()).not.toContain('idToken')
  expect(asked.slice(1).filter((url) => url.includes(token))).toEqual([])
})

test('a token that is worth nothing leaves a visitor a visitor', async ({ page }) => {
  await page.goto('/?token=abc.def.ghi')
  await expect(page.getByRole('navigation')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.evaluate(() => localStorage.getItem('idToken'))).toBeNull()
})

test.describe('signed in', () => {
  test.use({ as: 'student' })

  test('a link with somebody else’s token asks first, and keeps who is there', async ({
    page,
    baseURL,
  }) => {
    const token = await idToken(baseURL ?? '', 'teacher')
    await page.goto(`/pages/myInfo/myInfo?token=${token}`)
    await page.getByRole('button', { name: '继续使用林知夏' }).click()
    await expect(page.getByText('林知夏').first()).toBeVisible()

    await page.goto(`/pages/myInfo/myInfo?token=${token}`)
    await page.getByRole('button', { name: '切换为周明远' }).click()
    await expect(page.getByText('周明远').first()).toBeVisible()
  })

  test('the entry leads back to the page one left a moment ago', async ({ page }) => {
    await page.goto('/pages/set/set')
    await expect(page.getByRole('heading', { name: '设置', level: 1 })).toBeVisible()
    await page.goto('/')
    await expect(page).toHaveURL(/\/pages\/set\/set$/)
    await page.getByRole('button', { name: '返回首页' }).click()
    await expect(page).toHaveURL(new RegExp(`${home}$`))
  })

  test('an opening page comes before home, and can be skipped', async ({ page }) => {
    await withSettings(page, { ENV_OPENING_PAGE: '1', ENV_DIVERSION_PAGE: '1' })
    await page.goto('/')
    await expect(page).toHaveURL(/\/pages\/openPage\/openPage$/)
    await page.getByRole('button', { name: /^跳过/ }).click()
    await expect(page).toHaveURL(new RegExp(`${home}$`))
    expect(await page.evaluate(() => localStorage.getItem('opnePageFrequency'))).toMatch(/\d/)
    // Back does not return to it, and going back in the browser asks for nothing.
    await page.goto('/pages/about/about')
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`${home}$`))
  })

  test('the diversion page asks where to go', async ({ page }) => {
    await withSettings(page, { ENV_DIVERSION_PAGE: '1' })
    await page.goto('/')
    await expect(page).toHaveURL(/\/pages\/fenliu\/fenliu$/)
    await page.getByRole('button', { name: '直接进入首页' }).click()
    await expect(page).toHaveURL(new RegExp(`${home}$`))
  })

  test('in mourning every page is grey', async ({ page }) => {
    await withSettings(page, { ENV_APP_MOURNING_MODE: '1' })
    await page.goto('/')
    await expect(page.locator('html')).toHaveCSS('filter', 'grayscale(1)')
  })
})

test('who comes with a computer is told of the portal for computers', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await withSettings(page, { pcPortalUrl: 'https://portal.example.edu.cn/' })
  await page.goto('/')
  await expect(page.getByRole('link', { name: '打开电脑版' })).toHaveAttribute(
    'href',
    'https://portal.example.edu.cn/',
  )
  await page.getByRole('button', { name: '关闭' }).click()
  await page.reload()
  await expect(page.getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('link', { name: '打开电脑版' })).toBeHidden()
})
