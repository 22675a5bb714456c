import { defineConfig } from '@playwright/test'
import { launchOptions } from './browser.ts'

export default defineConfig({
  testMatch: '*.spec.ts',
  globalSetup: './server.ts',
  outputDir: './results/tests',
  fullyParallel: true,
  // Much of a test is waiting for the page: one more than the cores of a small machine.
  workers: 3,
  // A machine that stood still for a moment is told from a real failure by a second try; the summary names who needed one.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // Nothing is timed here: a slow, shared machine may take its time.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    // A click that waits for ever is named, instead of the test that ran out of time.
    actionTimeout: 60_000,
    baseURL: process.env.ATRIUM_E2E_URL,
    locale: 'zh-CN',
    // What goes through it cannot be watched or held up; offline.spec.ts lets it in.
    serviceWorkers: 'block',
    timezoneId: 'Asia/Shanghai',
    // Recording every test would be paid for by all of them: what fails is recorded when it is tried again.
    trace: 'on-first-retry',
    launchOptions,
  },
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    // Only what a test says of large screens: test('…', { tag: '@desktop' }, …)
    { name: 'desktop', grep: /@desktop/, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
