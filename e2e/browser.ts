import type { LaunchOptions } from '@playwright/test'

const libraries = process.env.ATRIUM_CHROMIUM_LIBRARIES

/** How to start the Chromium that scripts/browser.mjs found; Playwright's own where nobody looked. */
export const launchOptions: LaunchOptions = {
  ...(process.env.ATRIUM_CHROMIUM && { executablePath: process.env.ATRIUM_CHROMIUM }),
  ...(libraries && { env: { ...process.env, LD_LIBRARY_PATH: libraries } }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

const whole = process.env.ATRIUM_CHROMIUM_WHOLE
export const hasWhole = whole !== undefined

/** For what the Chromium without a window cannot show: the whole one, where scripts/browser.mjs found both. */
export const wholeLaunchOptions: LaunchOptions = {
  ...launchOptions,
  ...(whole && { executablePath: whole }),
}
