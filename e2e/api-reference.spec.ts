import { expect, test } from './test.ts'

test('the API reference shows its operations without errors or requests to other origins', async ({
  page,
}) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await page.goto('/docs/')
  await page.locator('.opblock-tag').first().click()
  await page.locator('.opblock-summary').first().click()
  await expect(page.locator('.opblock-body').first()).toBeVisible()
  expect(refused).toEqual([])
  expect([...origins].filter((origin) => origin !== 'null')).toEqual([new URL(page.url()).origin])
})
