import type { LaunchOptions } from '@playwright/test'

const libraries = process.env.ATRIUM_CHROMIUM_LIBRARIES

/** Launch options for the Chromium found by scripts/browser.mjs, or else Playwright's own. */
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

const fullBrowser = process.env.ATRIUM_CHROMIUM_WHOLE
export const hasFullBrowser = fullBrowser !== undefined

/** For features the headless shell lacks: the full browser, if scripts/browser.mjs found both. */
export const fullLaunchOptions: LaunchOptions = {
  ...launchOptions,
  ...(fullBrowser && { executablePath: fullBrowser }),
}
