import { vi } from 'vitest'

/** The parts of a browser that navigation needs: one history, its address, and asynchronous going back. */
export function fakeBrowser(start: string) {
  const entries: { href: string; state: unknown }[] = [{ href: start, state: null }]
  let at = 0
  const heard: Record<string, (() => void)[]> = {}
  const entry = (state: unknown, href?: string) => ({
    href: href ?? entries[at]?.href ?? '',
    state,
  })
  const history = {
    get state() {
      return entries[at]?.state
    },
    pushState(state: unknown, _: string, href?: string) {
      // Drops the forward entries.
      entries.splice(at + 1, entries.length, entry(state, href))
      at++
    },
    replaceState(state: unknown, _: string, href?: string) {
      entries[at] = entry(state, href)
    },
    go(by: number) {
      setTimeout(() => {
        at += by
        for (const listener of heard.popstate ?? []) listener()
      })
    },
  }
  const url = () => new URL(entries[at]?.href ?? '', 'https://portal.example')
  const left: string[] = []
  const location = {
    get pathname() {
      return url().pathname
    },
    get search() {
      return url().search
    },
    hash: '',
    origin: 'https://portal.example',
    replace: (address: string) => left.push(address),
    reload: () => left.push('reload'),
  }
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', location)
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    heard[name] = [...(heard[name] ?? []), listener]
  })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
  vi.stubGlobal('scrollY', 0)
  return { left, entries: () => entries.map(({ href }, i) => (i === at ? `[${href}]` : href)) }
}
