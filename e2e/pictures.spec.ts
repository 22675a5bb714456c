import { expect, test } from './test.ts'

test('lists show small pictures from our own origin', async ({ page, baseURL }) => {
  const pictures: { url: string; type: string | undefined; bytes: number }[] = []
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'image') return
    const body = await response.body().catch(() => Buffer.alloc(0))
    const type = response.headers()['content-type']
    pictures.push({ url: response.url(), type, bytes: body.length })
  })
  await page.goto('/pagesA/news/news?columnCode=headlines')
  const list = page.getByRole('list', { name: '要闻' })
  await expect(list.locator('img').first()).toHaveJSProperty('complete', true)
  await expect.poll(() => pictures.some(({ url }) => url.includes('/thumbor/'))).toBe(true)
  for (const { url, type, bytes } of pictures) {
    expect(url.startsWith(baseURL ?? '')).toBe(true)
    if (!url.includes('/thumbor/')) continue
    expect(type).toMatch(/image\/(webp|avif)/)
    expect(bytes).toBeLessThan(8000)
  }
})

test('a list renders without pictures that fail to load', async ({ page }) => {
  await page.route('**/thumbor/**', (route) => route.abort())
  await page.goto('/pagesA/news/news?columnCode=headlines')
  const list = page.getByRole('list', { name: '要闻' })
  await expect(list.getByRole('listitem')).toHaveCount(20)
  await expect(list.locator('img:not([loading=lazy])')).toHaveCount(0)
  const first = list.getByRole('listitem').first()
  await expect(first.locator('img')).toHaveCount(0)
})

test('a service whose icon fails to load shows its drawn icon', async ({ page }) => {
  let asked = false
  // Simulates uploaded icons whose files are missing.
  await page.route('**/portal-api/v1/service/overview*', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const service of answer.data.common) service.iconUrl = '/files/999999999'
    await route.fulfill({ response, json: answer })
  })
  page.on('response', (response) => {
    asked ||= response.url().endsWith('/files/999999999')
  })
  await page.goto('/pages/tab/service/index')
  const first = page.getByRole('button', { name: '校车' }).first()
  await expect.poll(() => asked).toBe(true)
  await expect(first.locator('svg')).toBeVisible()
  await expect(first.locator('img')).toHaveCount(0)
})
