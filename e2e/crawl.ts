import { eCard } from '@atrium/contract/member/e-card'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import type { Page } from '@playwright/test'
import { watchRequests } from './quiet.ts'
import { screens } from './screens.ts'

/** Number of samples visited of a screen whose address selects its content. */
const samplesPerScreen = 2
/** Quiet period in ms after the page reports no pending work, to catch requests started since. */
const quietMs = 40

/** Requests that only count something, or create something short-lived, on the server. */
const harmlessCalls = new RegExp(`(${serviceOpening.launch.path}|${eCard.codes.path})$`)

declare global {
  interface Window {
    /** The crawl's state in the page. */
    crawl: {
      isHeld: boolean
      targets: string[]
      pendingRequests: number
      pressed: Map<string, number>
      /** The session and language at the beginning. */
      session: string
      currentSession: () => string
      /** Replaces the current address, even while the page is held. */
      replace: (to: string) => void
      /** Whether the visible page is complete. */
      isDone: () => boolean
      frame: () => Promise<unknown>
    }
  }
}

/**
 * Follows every link and presses every button from the start page, and reports the screens they lead to, each with the
 * page that leads there. Nothing is changed: writing requests are refused, and external links are recorded but not
 * followed.
 * @param options `opens`: services and the pay code are opened, which other tests will find counted
 * @returns the screens reached and the external addresses, each with the page that leads there, and all faults
 */
export async function crawl(page: Page, url: string, { opens = false } = {}) {
  const reached = new Map<string, string>()
  const elsewhere = new Map<string, string>()
  const faults: string[] = []
  const consoleErrors = watchConsole(page)
  const visitCounts = new Map<string, number>()
  const seen = new Set<string>()
  const referrers = new Map<string, string>()
  const queue: string[] = []
  const record = (href: string, from: string) => {
    const { pathname, search, origin } = new URL(href, url)
    const path = pathname.replace(/(.)\/$/, '$1')
    const shown = origin === url ? screens[path] : undefined
    // An external page or a file, not a screen of the portal.
    const to = shown?.area === 'webview' ? new URLSearchParams(search).get('url') : undefined
    if (!shown || to) {
      const address = new URL(to || href, url).href
      if (!elsewhere.has(address)) elsewhere.set(address, from)
    }
    if (!shown) return
    if (!reached.has(path)) reached.set(path, from)
    const count = visitCounts.get(path) ?? 0
    if (count >= (shown.search ? samplesPerScreen : 1) || seen.has(path + search)) return
    // It shows an external page.
    if (shown.area === 'webview') return
    visitCounts.set(path, count + 1)
    referrers.set(path + search, from)
    seen.add(path + search)
    queue.push(path + search)
  }
  const hold = await prepare(page, opens)
  const quiet = watchRequests(page)
  let startToken: string | undefined
  record('/', 'the start')
  for (let next = queue.shift(); next; next = queue.shift()) {
    hold.isHeld = false
    // If it leads out of the app, the page being evaluated no longer exists.
    const hasArrived = await page.evaluate(showInside, next).catch(() => true)
    if (!hasArrived) await page.goto(next)
    await waitForPage(page, next)
    await quiet(quietMs)
    // A dialog of the previous page may have removed its history entry only now, and the new address with it.
    const { pathname, search } = new URL(page.url())
    if (hasArrived && pathname + search !== next) {
      await page.goto(next)
      await waitForPage(page, next)
      await quiet(quietMs)
    }
    const token = await page.evaluate(() => localStorage.getItem('idToken') ?? '')
    startToken ??= token
    const ended = token === startToken ? [] : ['the session has ended']
    for (const fault of [
      ...ended,
      ...(await page.evaluate(faultsOfPage)),
      ...consoleErrors.splice(0),
    ])
      faults.push(`${next} (from ${referrers.get(next)}): ${fault}`)
    hold.isHeld = true
    record(page.url(), next)
    // Pressing a button may reveal more buttons.
    for (let pressed = 1; pressed > 0; ) {
      const found = await page.evaluate(pressButtons)
      pressed = found.pressed
      await quiet(quietMs)
      for (const href of [...found.targets, ...hold.targets.splice(0)]) record(href, next)
    }
    // Pressing buttons may cause refusals, as writing is blocked; these are not faults.
    consoleErrors.length = 0
  }
  return { reached, elsewhere, faults }
}

/** Errors on the page's console, except those from requests the crawl refused. */
function watchConsole(page: Page) {
  const consoleErrors: string[] = []
  page.on('pageerror', ({ message }) => consoleErrors.push(message))
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().includes('net::ERR_FAILED')) return
    consoleErrors.push(`${message.text()} ${message.location().url}`)
  })
  // A navigation cancels what is still loading.
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (['script', 'stylesheet'].includes(request.resourceType()) && reason !== 'net::ERR_ABORTED')
      consoleErrors.push(`${reason} ${request.url()}`)
  })
  return consoleErrors
}

/** Runs in the page: the error states it shows instead of content; without code or at a wrong address it is empty. */
function faultsOfPage() {
  const states = [...document.querySelectorAll('.state')].filter(
    (one) => one.matches('[role=alert]') || /没有这个页面|当前没有网络/.test(one.textContent),
  )
  return states.flatMap((one) => (one.checkVisibility() ? one.textContent : []))
}

/** @throws with the address if no page appears */
async function waitForPage(page: Page, address: string) {
  await page.waitForLoadState()
  await page
    .waitForFunction(() => window.crawl.isDone())
    .catch((error: Error) => {
      throw new Error(`${address} shows no page: ${error.message}`)
    })
}

/**
 * Runs in the page: navigates within the app, which costs a tenth of a new start.
 * @returns whether the page appeared; false if the session or the language is not the crawl's
 */
async function showInside(address: string) {
  const { crawl } = window
  if (!document.getElementById('root') || crawl.currentSession() !== crawl.session) return false
  crawl.isHeld = false
  crawl.targets = []
  crawl.pressed.clear()
  const pages = [...document.querySelectorAll<HTMLElement>('main')]
  const previous = pages.find((one) => one.checkVisibility())
  const isSamePath = new URL(address, location.href).pathname === location.pathname
  crawl.replace(address)
  for (let quietFrames = 0, waits = 0; quietFrames < 3; waits++) {
    if (waits > 600) return false
    await crawl.frame()
    const hasArrived = isSamePath || !previous?.isConnected || !previous.checkVisibility()
    quietFrames = hasArrived && crawl.isDone() ? quietFrames + 1 : 0
  }
  return true
}

/** Runs in the page before its own scripts. */
async function prepare(page: Page, opens: boolean) {
  await page.addInitScript(() => {
    const crawl = {
      isHeld: false,
      targets: [] as string[],
      pendingRequests: 0,
      pressed: new Map<string, number>(),
      session: '',
      currentSession: () =>
        `${localStorage.getItem('idToken')} ${localStorage.getItem('language')}`,
      replace(to: string) {
        const state = { depth: 0, key: Math.random().toString(36).slice(2) }
        replaceState(state, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state }))
      },
      // The server-painted page is not yet the app's.
      isDone: () =>
        crawl.pendingRequests === 0 &&
        !document.querySelector('.painted') &&
        isShown('h1') &&
        !isShown('.skeleton'),
      frame: () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    }
    crawl.session = crawl.currentSession()
    window.crawl = crawl
    const replaceState = history.replaceState.bind(history)
    const isShown = (selector: string) =>
      [...document.querySelectorAll(selector)].some((one) => one.checkVisibility())
    for (const name of ['pushState', 'replaceState'] as const) {
      const move = history[name].bind(history)
      history[name] = (state, unused, to) => {
        const target = new URL(to ?? '', location.href)
        if (!crawl.isHeld || target.pathname === location.pathname) return move(state, unused, to)
        crawl.targets.push(target.href)
        throw new Error('The crawl stays on this page.')
      }
    }
    const go = history.go.bind(history)
    history.go = (steps) => {
      // A closing dialog removes its own history entry, which does not leave the page.
      const overlays = (history.state as { overlays?: number } | null)?.overlays ?? 0
      if (!crawl.isHeld || -Number(steps) <= overlays) go(steps)
    }
    window.open = (to) => {
      crawl.targets.push(String(to))
      return null
    }
    const originalFetch = window.fetch
    window.fetch = async (...args) => {
      crawl.pendingRequests++
      try {
        return await originalFetch(...args)
      } finally {
        crawl.pendingRequests--
      }
    }
  })
  const hold = { isHeld: false, targets: [] as string[] }
  await page.route('**/*', (route) => {
    const request = route.request()
    if (hold.isHeld && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      hold.targets.push(request.url())
      // An answer without content keeps the page where it is.
      return route.fulfill({ status: 204 })
    }
    const isReading = request.method() === 'GET' || request.method() === 'HEAD'
    const isHarmless = isReading || (opens && harmlessCalls.test(request.url()))
    return isHarmless ? route.fallback() : route.abort()
  })
  page.on('dialog', (dialog) => void dialog.accept())
  return hold
}

/** Runs in the page: records its links, presses its buttons in turn, and records what each leads to. */
async function pressButtons() {
  const { crawl } = window
  crawl.isHeld = true
  const settle = async () => {
    await crawl.frame()
    // Loading code is not a request made by the page itself, but the page shows that it is waiting for it.
    for (let waits = 0; waits < 120 && !crawl.isDone(); waits++) await crawl.frame()
    await crawl.frame()
  }
  const recordLinks = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]'))
      if (link.checkVisibility()) crawl.targets.push(link.href)
  }
  const nextButton = () =>
    [
      ...document.querySelectorAll<HTMLButtonElement>('button, [role=button], [role=tab], summary'),
    ].find((button) => {
      if (!button.checkVisibility() || button.disabled || button.closest('[inert]')) return false
      const name = button.getAttribute('aria-label') ?? button.textContent
      const dialog = button.closest('[role=dialog]')
      // Signing out ends the session on this device even if the request is refused.
      if (dialog && /^(退出登录|Sign out)$/.test(name)) return false
      // A few buttons represent all similar ones, such as those of lists, calendars and pagers.
      const kind = `${dialog !== null} ${button.className}`
      const known = `${kind} ${button.closest('li') ? '' : name}`
      const count = crawl.pressed.get(kind) ?? 0
      if (crawl.pressed.has(known) || count >= 6) return false
      crawl.pressed.set(kind, count + 1).set(known, 1)
      return true
    })
  let pressed = 0
  await settle()
  recordLinks()
  for (let button = nextButton(); button; button = nextButton()) {
    button.click()
    pressed++
    await settle()
    recordLinks()
  }
  return { pressed, targets: [...new Set(crawl.targets)] }
}
