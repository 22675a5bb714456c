/*
 * The only script inside a painted page, run before anything is drawn (inserted by paint/page.ts; the server's policy
 * names its hash). It decides whether the painted content fits this device's member and preferences, loads the app once
 * that is on the screen, and passes earlier taps on to the app. It must stay small and import nothing.
 */
const page = document.documentElement
const { dataset } = document.currentScript as HTMLScriptElement

function read(key: string) {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

// The same values that shell/preferences.ts sets later.
const scheme = read('scheme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')
page.dataset.scheme = scheme || 'light'
const textSize = Number(read('textSize')) || 100
page.style.fontSize = `${Math.min(200, Math.max(100, textSize))}%`
if (read('contrast') === 'more') page.dataset.contrast = 'more'

const deviceLanguage = navigator.languages.find((tag) => /^(zh|en)\b/i.test(tag)) ?? 'zh'
const language = /^(zh|en)$/.test(read('language'))
  ? read('language')
  : deviceLanguage.toLowerCase()
/** The entry page will lead to the page left a short while ago (shell/start/last-page.ts). */
const resumesLastPage =
  location.pathname === '/' &&
  read('lastPageRoute') !== '' &&
  !read('lastPageRoute').startsWith('/pages/tab/index/index') &&
  Date.now() - Number(read('lastPageAt')) < 30 * 60_000
const isUsable =
  language.slice(0, 2) === page.lang.slice(0, 2) &&
  (read('idToken') !== '') === (dataset.for === 'member') &&
  !resumesLastPage &&
  // The notice on the card was dismissed on this device.
  !(dataset.notice && read('readedIds').includes(`"${dataset.notice}"`))
if (!isUsable) page.dataset.unpainted = ''

let isAppRequested = false
function loadApp() {
  if (isAppRequested) return
  isAppRequested = true
  for (const [src, type] of [
    [dataset.app, 'module'],
    [dataset.early, ''],
  ] as const) {
    const script = document.createElement('script')
    if (type) script.type = type
    script.src = src ?? ''
    script.setAttribute('fetchpriority', 'high')
    script.dataset.routeMap = dataset.routeMap ?? ''
    document.head.append(script)
  }
}

addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('root')
  const painted = root?.firstElementChild
  if (!isUsable) {
    painted?.remove()
    return loadApp()
  }
  // Painting comes first; a page in the background paints nothing.
  if (PerformanceObserver.supportedEntryTypes?.includes('paint'))
    new PerformanceObserver((seen) => {
      if (seen.getEntriesByName('first-contentful-paint').length > 0) loadApp()
    }).observe({ type: 'paint', buffered: true })
  else requestAnimationFrame(() => setTimeout(loadApp))
  setTimeout(loadApp, 1000)

  if (!root || !painted) return
  let tapped: Element | undefined
  let focused: Element | undefined
  root.addEventListener(
    'click',
    (event) => {
      const element = (event.target as Element).closest('a, button')
      const { button, metaKey, ctrlKey, shiftKey, altKey } = event
      if (!element || !painted.contains(element)) return
      if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
      event.preventDefault()
      tapped = element
      element.setAttribute('aria-busy', 'true')
      // The app is late or fails to load: follow the link without it.
      const { href } = element as HTMLAnchorElement
      if (href) setTimeout(() => painted.isConnected && location.assign(href), 3000)
    },
    true,
  )
  new MutationObserver((_, observer) => {
    if (painted.isConnected) return
    observer.disconnect()
    const activated = tapped ?? focused
    const replacement =
      activated && ifEquivalent(activated, elementAt(pathTo(activated, painted), root))
    replacement?.focus({ preventScroll: true })
    if (tapped) replacement?.click()
  }).observe(root, { childList: true })
  painted.addEventListener('focusin', ({ target }) => {
    focused = target as Element
  })
})

/** The path to an element, as its index at each level. */
function pathTo(element: Element, top: Element): number[] {
  const parent = element.parentElement
  if (element === top || !parent) return []
  return [...pathTo(parent, top), [...parent.children].indexOf(element)]
}

const elementAt = (steps: readonly number[], top: Element) =>
  steps.reduce<Element | undefined>((at, step) => at?.children[step], top)

/** The element that the app rendered in its place, if equivalent. */
const ifEquivalent = (before: Element, now: Element | undefined) =>
  now?.tagName === before.tagName && now.textContent === before.textContent
    ? (now as HTMLElement)
    : undefined
