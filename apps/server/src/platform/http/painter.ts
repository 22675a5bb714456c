import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import type { Language } from '@atrium/contract/error-texts'
import type { PaintableTab, PaintedTab } from '@atrium/contract/shell/home'

/** A page rendered with its first content, and the hashes its content security policy must allow. */
export type PaintedPage = { html: string; styles: readonly string[]; script: string }

/** The result of apps/portal/paint/paint.tsx. */
type Painted = { markup: string; title: string; lang: string }
/** Its functions. */
type PaintScript = {
  paintHome: (answers: object) => Painted
  paintTab: (path: string, answers: object) => Painted
  answersFor: (path: string, userAgent: string, today: string) => string[] | undefined
}

type Device = 'phone' | 'computer'
/** What a rendering depends on: the audience, the notice shown on its card, the time zone, the kind of device. */
type Shown = {
  for: 'visitor' | 'member'
  notice: string
  timeZone: string
  device?: Device
}

export type Painter = ReturnType<typeof openPainter>

/**
 * Renders pages on the server with the portal's own components from its build output in `.paint`. Each combination of
 * language, audience, time zone, notice and device has its own context, cached until the next build. The code is our own, so
 * the context is not a security boundary: it provides the few browser APIs the code needs and nothing else.
 */
export function openPainter(dist: string) {
  const folder = path.join(dist, '.paint')
  const scriptFile = path.join(folder, 'paint.js')
  let build = 0
  let script: vm.Script | undefined
  const contexts = new Map<string, vm.Context>()

  /** Build time of the portal, or undefined without a build; then nothing is rendered. */
  function builtAt(): number | undefined {
    return statSync(path.join(folder, 'policy.json'), { throwIfNoEntry: false })?.mtimeMs
  }

  function contextFor(language: Language, shown: Shown) {
    const built = builtAt() ?? 0
    if (built !== build || !script) {
      script = new vm.Script(readFileSync(scriptFile, 'utf8'), { filename: scriptFile })
      build = built
      contexts.clear()
    }
    // The portal counts its cards once per session.
    const key = [language, shown.for, shown.timeZone, shown.notice !== '', shown.device].join(' ')
    let context = contexts.get(key)
    if (!context) {
      context = browserFor(language, shown)
      script.runInContext(context)
      contexts.set(key, context)
    }
    return context as unknown as PaintScript
  }

  return {
    builtAt,
    /** @param answers API responses as the app would receive them @throws whatever the portal's code throws */
    paintHome(language: Language, shown: Shown, answers: object): PaintedPage {
      const { paintHome } = contextFor(language, shown)
      const painted = inThisWorld(() => paintHome(copyOf(answers)))
      const { markup, css } = liftStyles(painted.markup)
      const page = readFileSync(path.join(folder, 'home.html'), 'utf8')
      const policy = JSON.parse(readFileSync(path.join(folder, 'policy.json'), 'utf8'))
      const parts: Record<string, string> = {
        for: shown.for,
        notice: shown.notice,
        lang: painted.lang,
        title: withEntities(painted.title),
        styles: css && `<style>${css}</style>`,
        markup,
      }
      return {
        html: page.replace(
          /%(for|notice|lang|title|styles|markup)%/g,
          (_, name) => parts[name] ?? '',
        ),
        styles: [...policy.styles, ...(css ? [hashOf(css)] : [])],
        script: policy.script,
      }
    },
    /**
     * Renders a tab of a member or of visitors.
     * @param readAnswers reads the API's answers by address; undefined if one is missing
     * @returns undefined if there is nothing to render
     * @throws whatever the portal's code throws
     */
    async paintTab(
      language: Language,
      { path, for: whom, device, timeZone, today }: TabVisit,
      readAnswers: (addresses: readonly string[]) => Promise<Record<string, unknown> | undefined>,
    ): Promise<PaintedTab | undefined> {
      const script = contextFor(language, { for: whom, notice: '', timeZone, device })
      const addresses = script.answersFor(path, deviceAgents[device], today)
      const answers = addresses && (await readAnswers([...addresses]))
      if (!answers) return undefined
      const { title, lang, ...painted } = inThisWorld(() => script.paintTab(path, copyOf(answers)))
      return { ...liftStyles(painted.markup), title, lang }
    },
  }
}

type TabVisit = {
  path: PaintableTab
  for: Shown['for']
  device: Device
  timeZone: string
  today: string
}

/** The user agent of a context. */
export const deviceAgents = {
  phone: 'Mozilla/5.0 (Linux; Android 14) Mobile',
  computer: 'Mozilla/5.0 (X11; Linux x86_64)',
}

/** A copy, so that the portal's code cannot modify our objects. */
const copyOf = (answers: object) => JSON.parse(JSON.stringify(answers)) as object

/** An error from another context is not an instance of our `Error`, so the log would show nothing of it. */
function inThisWorld<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(String((error as { stack?: unknown })?.stack ?? error))
  }
}

/** The policy forbids `style` attributes: their rules move into a style element that is allowed by its hash. */
function liftStyles(markup: string) {
  const rules = new Map<string, number>()
  const lifted = markup.replace(/ style="([^"]*)"/g, (_, text: string) => {
    const rule = withoutEntities(text)
    if (!rules.has(rule)) rules.set(rule, rules.size)
    return ` data-style="${rules.get(rule)}"`
  })
  const css = [...rules].map(([rule, index]) => `[data-style="${index}"]{${rule}}`).join('')
  // Our styles never contain `<`, which could end the style element.
  return { markup: lifted, css: css.includes('<') ? '' : css }
}

const entities: Record<string, string> = {
  '&quot;': '"',
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
const withoutEntities = (text: string) =>
  text.replace(/&(quot|#x27|lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
const withEntities = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** A stored token of nobody in particular, so that the portal renders what members see. */
const somebody = `.${btoa(JSON.stringify({ exp: 4102444800 }))}.`

/** A stub browser: no network, no storage, no timers; its time zone is the institution's. */
function browserFor(language: Language, { for: whom, timeZone, device }: Shown): vm.Context {
  const nothing = () => {}
  const listening = { addEventListener: nothing, removeEventListener: nothing }
  const stored = (key: string) => (key === 'idToken' && whom === 'member' ? somebody : null)
  const storage = { getItem: stored, setItem: nothing, removeItem: nothing }
  const element = { style: {}, dataset: {}, toggleAttribute: nothing, setAttribute: nothing }
  const context = vm.createContext({
    ...listening,
    location: new URL('http://portal.invalid/'),
    history: { state: null, replaceState: nothing, pushState: nothing },
    localStorage: storage,
    sessionStorage: storage,
    navigator: {
      language,
      languages: [language],
      userAgent: device ? deviceAgents[device] : '',
      maxTouchPoints: 0,
      onLine: true,
    },
    document: {
      ...listening,
      documentElement: element,
      body: element,
      querySelector: () => null,
      getElementById: () => null,
      visibilityState: 'visible',
      cookie: '',
    },
    matchMedia: () => ({ matches: false, ...listening }),
    setTimeout: nothing,
    clearTimeout: nothing,
    setInterval: nothing,
    clearInterval: nothing,
    performance: { now: () => performance.now(), timeOrigin: performance.timeOrigin },
    console: { error: nothing, warn: nothing, log: nothing },
    MessageChannel: class {
      port1 = {}
      port2 = { postMessage: nothing }
    },
    AbortController,
    TextEncoder,
    TextDecoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    queueMicrotask,
  })
  vm.runInContext(
    `globalThis.window = globalThis.self = globalThis.parent = globalThis
    const Format = Intl.DateTimeFormat
    Intl.DateTimeFormat = function (locales, options) {
      return new Format(locales, { ...options, timeZone: options?.timeZone ?? ${JSON.stringify(timeZone)} })
    }`,
    context,
  )
  return context
}
