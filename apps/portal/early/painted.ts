/*
 * The only script inside a painted page, run before anything is drawn (inserted by paint/page.ts; the server's policy
 * names its hash). It decides whether the painted content fits this device's member and preferences, loads the app once
 * that is on the screen, and passes earlier taps on to the app. It must stay small.
 */
import { applyPreferences, read } from './device.ts'
import { passOn } from './pass-on.ts'

const page = document.documentElement
const { dataset } = document.currentScript as HTMLScriptElement

applyPreferences()

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

  if (root && painted) passOn(root, painted)
})
