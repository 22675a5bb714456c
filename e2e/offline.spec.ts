import { axeViolations } from './axe.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student', serviceWorkers: 'allow', prefetching: true })

test('the app starts offline and shows stored content with its age', async ({ page, context }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  // Loaded again with the new worker, which caches it from now on.
  await page.reload()
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  // Wait until home's personal data is in the day pack, which is written when the browser is idle.
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('kept:pages')), { timeout: 60_000 })
    .not.toBeNull()

  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByText(/网络不畅，这是 .+ 的内容/)).toBeVisible()
  await expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()
  // A screen not visited before says so and offers an alternative.
  await page.goto('/pages/about/about')
  await expect(page.getByText('当前没有网络').last()).toBeVisible()
  await expect(page.getByText(/page code/)).toHaveCount(0)
  expect(await axeViolations(page)).toEqual([])
  // It loads by itself.
  await context.setOffline(false)
  await expect(page.getByText('当前没有网络')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '重试' })).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByText(/网络不畅/)).toBeHidden()
})

test('a new service worker waits and does not reload a page in use', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  // From here on the worker controls the page.
  await page.goto('/pages/service/search')
  await page.getByRole('searchbox').fill('图书')
  // Once the page itself has registered its worker.
  await expect(page.locator('link[rel=manifest]')).toBeAttached()
  let loads = 0
  page.on('load', () => loads++)
  const state = await page.evaluate(async () => {
    const before = navigator.serviceWorker.controller
    // To the browser, the same worker at another address is a newer one.
    const registration = await navigator.serviceWorker.register('/service-worker.js?next', {
      scope: '/',
    })
    const next = registration.installing ?? registration.waiting
    await new Promise<void>((resolve) => {
      if (next?.state === 'installed') resolve()
      next?.addEventListener('statechange', () => next.state === 'installed' && resolve())
    })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return { next: next?.state, same: navigator.serviceWorker.controller === before, before }
  })
  expect(state).toMatchObject({ next: 'installed', same: true, before: expect.anything() })
  expect(loads).toBe(0)
  await expect(page.getByRole('searchbox')).toHaveValue('图书')
})

test('the app manifest has the institution’s name and valid icons', async ({ page, request }) => {
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await request.get(address ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ name: '江岚大学', display: 'standalone', start_url: '/' })
  for (const { src, type } of manifest.icons)
    expect((await request.get(src)).headers()['content-type']).toContain(type)
})
