import { passwordless } from '@atrium/contract/identity/passwordless'
import { config } from '@atrium/contract/shell/config'
import type { BrowserContext, Page } from '@playwright/test'
import { storedSession, type Username } from './session.ts'
import { test as base, expect } from './test.ts'
import { startPrevious } from './two-versions.ts'

type Previous = Awaited<ReturnType<typeof startPrevious>>
type Options = { first: boolean; supportsClearing: boolean; serviceWorkers: 'allow' | 'block' }

/** A browser that starts with the previous version of the portal, which `previous.upgrade` replaces. */
const test = base.extend<Options & { previous: Previous; device: BrowserContext }>({
  first: [false, { option: true }],
  supportsClearing: [true, { option: true }],
  previous: async ({ baseURL, first, supportsClearing }, use) => {
    const previous = await startPrevious(baseURL ?? '', { first, supportsClearing })
    await use(previous)
    await previous.stop()
  },
  device: async ({ browser, previous, as, serviceWorkers }, use) => {
    const device = await browser.newContext({
      baseURL: previous.url,
      storageState: await storedSession(previous.url, as as Username | undefined),
      serviceWorkers,
    })
    await use(device)
    await device.close()
  },
})

/** The running script identifies the version of the page. */
const script = (page: Page) => page.locator('script[type=module][src]').first()
const isPrevious = (page: Page) => expect(script(page)).toHaveAttribute('src', /-prev[\w-]{4}\.js$/)
const isNew = (page: Page) => expect(script(page)).not.toHaveAttribute('src', /-prev/)

const home = async (page: Page) =>
  expect(page.getByRole('heading', { name: '常用服务', exact: true })).toBeVisible()

/** Waits for the code loaded after the first screen, from which on its protection is active. */
const isSettled = (page: Page) => expect(page.locator('link[rel=manifest]')).toBeAttached()

async function open(device: BrowserContext, address = '/') {
  const page = await device.newPage()
  await page.goto(address)
  return page
}

/** The installed app, controlled by the worker of its version. */
async function install(device: BrowserContext, previous: Previous, address = '/') {
  const page = await open(device, address)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await isSettled(page)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  // A browser checks for a new worker some time after showing a page, even if it was closed.
  await expect.poll(previous.workerRequests).toBe(2)
  return page
}

test.describe('a member with an open tab', () => {
  test.use({ as: 'student' })

  test('gets the new version when opening a screen whose code is gone', async ({
    device,
    previous,
  }) => {
    const page = await open(device)
    await home(page)
    await isSettled(page)
    await isPrevious(page)
    previous.upgrade()
    await page.getByRole('link', { name: '日程', exact: true }).click()
    await expect(page.getByRole('grid')).toBeVisible()
    await isNew(page)
  })
})

for (const [who, serviceWorkers] of [
  ['a visitor with an open tab', 'block'],
  ['a visitor with the installed app', 'allow'],
] as const)
  test.describe(who, () => {
    test.use({ serviceWorkers })

    async function fillIn(device: BrowserContext, previous: Previous) {
      const address = '/pages/login/codeLogin'
      const page = await (serviceWorkers === 'allow'
        ? install(device, previous, address)
        : open(device, address))
      await page.getByRole('textbox', { name: '手机号' }).fill('13800000001')
      await isSettled(page)
      await isPrevious(page)
      await expect(page.getByRole('textbox', { name: '手机号' })).toHaveValue('13800000001')
      return page
    }

    test('keeps the form input when the form needs code that is gone', async ({
      device,
      previous,
    }) => {
      const page = await fillIn(device, previous)
      // The required puzzle is in a separate file.
      await page.route(`**${passwordless.smsSend.path}`, (route) =>
        route.fulfill({
          status: 403,
          json: { code: 403, error: 'login.captcha_due', message: '' },
        }),
      )
      previous.upgrade()
      await page.getByRole('button', { name: '获取验证码' }).click()
      await expect(page.getByText('已恢复你之前填写的内容')).toBeVisible()
      await expect(page.getByRole('textbox', { name: '手机号' })).toHaveValue('13800000001')
      await isNew(page)
    })

    test('keeps the form input after visiting a screen whose code is gone', async ({
      device,
      previous,
    }) => {
      const page = await fillIn(device, previous)
      previous.upgrade()
      // Slow enough for the loading state to replace the form. Requests through a worker are not delayed.
      await page.route(/-prev[\w-]{4}\.js$/, async (route) => {
        // Or the page navigates away.
        await page
          .getByLabel('正在加载')
          .waitFor({ state: 'attached' })
          .catch(() => {})
        await route.continue()
      })
      await page.getByRole('link', { name: '《用户协议》' }).click()
      await expect(page).toHaveURL(/userAgreement/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await isNew(page)
      await page.goBack()
      await expect(page.getByRole('textbox', { name: '手机号' })).toHaveValue('13800000001')
    })
  })

test.describe('a returning member', () => {
  test.use({ as: 'student' })

  test('gets the new version although the browser has cached the page', async ({
    device,
    previous,
  }) => {
    const page = await open(device)
    await home(page)
    await isPrevious(page)
    await page.close()
    previous.upgrade()
    const again = await open(device)
    await home(again)
    await isNew(again)
  })
})

/** The new worker is installed and waits for the last page of the old version to close. */
const isWaiting = (page: Page) =>
  expect(async () => {
    const waits = () => navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)
    expect(await page.evaluate(waits)).toBe(true)
  }).toPass()

/** A page opened at that very moment may still get the old worker. */
const hasTakenOver = (device: BrowserContext) =>
  expect(async () => {
    const states = device.serviceWorkers().map((worker) =>
      worker.evaluate(() => {
        const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
        return registration.waiting === null && registration.active?.state === 'activated'
      }),
    )
    expect(await Promise.all(states)).toContain(true)
  }).toPass()

test.describe('a member with the installed app', () => {
  test.use({ as: 'student', serviceWorkers: 'allow' })

  test('starts the new version online and then offline', async ({ device, previous }) => {
    const page = await install(device, previous)
    await isPrevious(page)
    await page.close()
    previous.upgrade()
    const again = await open(device)
    await home(again)
    await isNew(again)
    // The new worker takes over when the last page of the old one is closed.
    await isSettled(again)
    await isWaiting(again)
    await again.close()
    await hasTakenOver(device)
    await device.setOffline(true)
    const offline = await open(device)
    await home(offline)
    await isNew(offline)
  })
})

for (const supportsClearing of [true, false])
  for (const serviceWorkers of ['allow', 'block'] as const) {
    // Then only a reload, a sign-in or a screen with missing code brings the new version.
    if (!supportsClearing && serviceWorkers === 'block') continue
    const browser = [
      supportsClearing ? 'can clear its cache' : 'cannot clear its cache',
      serviceWorkers === 'allow' ? 'has a service worker' : 'has no service worker',
    ].join(' and ')
    test.describe(`a browser that caches a page of the first release, ${browser}`, () => {
      test.use({ as: 'student', first: true, supportsClearing, serviceWorkers })

      test('gets the new version at the second start', async ({ device, previous }) => {
        const page =
          serviceWorkers === 'allow' ? await install(device, previous) : await open(device)
        await home(page)
        await page.close()
        previous.upgrade()
        const first = await device.newPage()
        // It reloads before it is ready if a cached script is missing, so the initial script is recorded while parsing.
        await first.addInitScript(() =>
          new MutationObserver(() => {
            const script = document.querySelector('script[type=module][src]')
            if (script) sessionStorage.began ??= script.outerHTML
          }).observe(document, { childList: true, subtree: true }),
        )
        const told = first.waitForResponse(`**${config.system.path}`)
        await first.goto('/')
        await home(first)
        await (await told).finished()
        await expect(async () => {
          expect(await first.evaluate(() => sessionStorage.began)).toContain('-prev')
        }).toPass()
        if (serviceWorkers === 'allow') await isWaiting(first)
        await first.close()
        const second = await open(device)
        await home(second)
        await isNew(second)
      })
    })
  }
