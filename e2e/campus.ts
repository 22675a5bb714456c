import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { freePort } from '../apps/server/test/free-port.ts'
import { withoutBackgroundRequests } from './quiet.ts'
import { startServer } from './server.ts'
import { password, type Username } from './session.ts'

/** Starts the portal with the demo's systems (`examples/campus`), as `npm start` does. */
export async function startCampus() {
  const port = await freePort()
  const secret = randomBytes(32).toString('hex')
  const origin = `http://localhost:${port}`
  const server = await startServer([], {
    ATRIUM_CAMPUS_URL: origin,
    ATRIUM_CAMPUS_SECRET: secret,
  })
  const campus = spawn(process.execPath, ['examples/campus/main.ts'], {
    cwd: path.dirname(import.meta.dirname),
    env: {
      ...process.env,
      PORTAL: server.url,
      ORIGIN: origin,
      PORT: String(port),
      CAMPUS_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => campus.stdout.once('data', resolve))
  return {
    /** of the portal */
    url: server.url,
    /** of the demo's systems */
    origin,
    async stop() {
      campus.kill()
      await server.stop()
    },
  }
}

/** A member on their own device, signed in on the portal's own page. */
export async function signedIn(
  browser: Browser,
  url: string,
  username: Username,
  locale = 'zh-CN',
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'block',
    timezoneId: 'Asia/Shanghai',
  })
  await withoutBackgroundRequests(context)
  const page = await context.newPage()
  await page.goto('/pages/login/pwdLogin')
  await page.getByRole('textbox').first().fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: /^(登录|Sign in)$/ }).click()
  await expect(page).toHaveURL(/pages\/tab\/index/)
  return page
}

/** Opens a service as members do. @returns the content of the portal's frame */
export async function openService(page: Page, name: string) {
  await page.goto(`/pages/service/search?${new URLSearchParams({ keyWords: name })}`)
  await page.getByRole('button', { name: new RegExp(`^${name} `) }).click()
  return page.frameLocator('iframe')
}

const messages = path.join(path.dirname(import.meta.dirname), 'apps/portal/messages')
/** The portal's text of a key in one language, with values filled in; plain texts only. */
export function wordsIn(language: 'zh' | 'en') {
  const all: Record<string, unknown> = Object.assign(
    {},
    ...readdirSync(path.join(messages, language)).map((file) =>
      JSON.parse(readFileSync(path.join(messages, language, file), 'utf8')),
    ),
  )
  return (key: string, given: Record<string, string> = {}) => {
    const text = all[key]
    if (typeof text !== 'string') throw new Error(`${key} is no plain text`)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '')
  }
}
