import type { Page } from '@playwright/test'

/** Delays the app, so that only what the server has painted is visible. @returns releases it */
export async function delayApp(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}
export const painted = (page: Page) => page.locator('.painted')
