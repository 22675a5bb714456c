import { defineConfig } from '@playwright/test'
import { launchOptions } from './browser.ts'

export default defineConfig({
  testMatch: '*.spec.ts',
  globalSetup: './server.ts',
  outputDir: './results/tests',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Nothing is timed here: a slow, shared machine may take its time.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    baseURL: process.env.ATRIUM_E2E_URL,
    locale: 'zh-CN',
    // What goes through it cannot be watched or held up; offline.spec.ts lets it in.
    serviceWorkers: 'block',
    timezoneId: 'Asia/Shanghai',
    trace: 'retain-on-failure',
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
