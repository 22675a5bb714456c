import { defineConfig } from '@playwright/test'
import { launchOptions } from './browser.ts'

export default defineConfig({
  testMatch: '*.spec.ts',
  globalSetup: './server.ts',
  outputDir: './results/tests',
  fullyParallel: true,
  // Tests mostly wait for the page: one worker more than the cores of a small machine.
  workers: 3,
  // A retry distinguishes a stalled machine from a real failure; the summary lists the tests that needed one.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // Nothing is timed here, so a slow, shared machine is acceptable.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    // Reports the click that hangs instead of a test timeout.
    actionTimeout: 60_000,
    baseURL: process.env.ATRIUM_E2E_URL,
    locale: 'zh-CN',
    // Requests through a service worker cannot be intercepted; offline.spec.ts allows it.
    serviceWorkers: 'block',
    timezoneId: 'Asia/Shanghai',
    // Tracing slows every test down, so only retries are traced.
    trace: 'on-first-retry',
    launchOptions,
  },
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    // Only tests tagged for large screens: test('…', { tag: '@desktop' }, …)
    { name: 'desktop', grep: /@desktop/, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
