import { home, type PaintedTab } from '@atrium/contract/shell/home'
import { applyPreferences } from './device.ts'
import { passOn } from './pass-on.ts'

/** Whether the app is likely to take long: nothing is stored yet, and no data is to be saved. */
const isFirstStart = () =>
  !navigator.serviceWorker?.controller &&
  !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData

/**
 * Shows the tab as rendered by the server until the app replaces it, unless the app is faster.
 * @param request makes a request for the member, or without one @param sheets addresses of the tab's own style sheets
 */
export async function paintTab(
  request: (path: string) => Promise<unknown>,
  sheets: readonly string[],
) {
  // The address may name a part of the tab. Older browsers cannot add styles that the policy allows.
  if (location.search || !isFirstStart() || !('adoptedStyleSheets' in document)) return
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const query = new URLSearchParams({ path: location.pathname, timeZone })
  const painted = (await request(`${home.paintedTab.path}?${query}`)) as PaintedTab | null
  if (!painted) return
  const loaded = await Promise.all([appStyles(), ...sheets.map(addSheet)])
  const root = document.getElementById('root')
  const splash = root?.querySelector('.splash')
  if (!root || !splash || loaded.includes(false)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(painted.css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  applyPreferences()
  document.documentElement.lang = painted.lang
  document.title = painted.title
  const content = document.createElement('div')
  content.className = 'painted'
  content.innerHTML = painted.markup
  splash.replaceWith(content)
  passOn(root, content)
}

/** Resolves when the style sheet at the end of the page has loaded or failed. @returns whether it has loaded */
async function appStyles(): Promise<boolean> {
  // Not DOMContentLoaded, which waits for the app.
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('readystatechange', resolve))
  const link = document.querySelector<HTMLLinkElement>('body > link[rel=stylesheet]')
  return link?.sheet ? true : link !== null && hasLoaded(link)
}

/** Adds a style sheet; one that has failed is removed, so that the app tries again. */
async function addSheet(href: string): Promise<boolean> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
  const isLoaded = await hasLoaded(link)
  if (!isLoaded) link.remove()
  return isLoaded
}

const hasLoaded = (link: HTMLLinkElement) =>
  new Promise<boolean>((resolve) => {
    link.addEventListener('load', () => resolve(true))
    link.addEventListener('error', () => resolve(false))
  })
