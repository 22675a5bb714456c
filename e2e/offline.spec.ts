import { expect, test } from './test.ts'

test.use({ as: 'student', serviceWorkers: 'allow' })

test('the shell opens without a network, with what it knew and how old that is', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '今天', exact: true })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  // Fetched while the new worker was on its way: from now on it is kept.
  await page.reload()
  await expect(page.getByRole('heading', { name: '今天', exact: true })).toBeVisible()

  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByText(/网络不畅，这是 .+ 的内容/)).toBeVisible()
  await expect(page.getByRole('heading', { name: '今天', exact: true })).toBeVisible()
  // A screen one has not been to says that it did not come; the way home stays.
  await page.goto('/pages/about/about')
  await expect(page.getByRole('button', { name: '重试' })).toBeVisible()

  await context.setOffline(false)
  await page.goto('/')
  await expect(page.getByText(/网络不畅/)).toBeHidden()
})

test('it can be installed under the name of the institution', async ({ page, request }) => {
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await request.get(address ?? '')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ name: '江岚大学', display: 'standalone', start_url: '/' })
  for (const { src, type } of manifest.icons)
    expect((await request.get(src)).headers()['content-type']).toContain(type)
})
