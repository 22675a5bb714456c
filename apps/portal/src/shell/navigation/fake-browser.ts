import { vi } from 'vitest'

/** The parts of a browser that navigation needs: one history, its address, and asynchronous going back. */
export function fakeBrowser(start: string) {
  const entries: { href: string; state: unknown }[] = [{ href: start, state: null }]
  let position = 0
  const listeners: Record<string, (() => void)[]> = {}
  const entry = (state: unknown, href?: string) => ({
    href: href ?? entries[position]?.href ?? '',
    state,
  })
  const history = {
    get state() {
      return entries[position]?.state
    },
    pushState(state: unknown, _: string, href?: string) {
      // Drops the forward entries.
      entries.splice(position + 1, entries.length, entry(state, href))
      position++
    },
    replaceState(state: unknown, _: string, href?: string) {
      entries[position] = entry(state, href)
    },
    go(by: number) {
      setTimeout(() => {
        position += by
        for (const listener of listeners.popstate ?? []) listener()
      })
    },
  }
  const url = () => new URL(entries[position]?.href ?? '', 'https://portal.example')
  const exits: string[] = []
  const location = {
    get pathname() {
      return url().pathname
    },
    get search() {
      return url().search
    },
    hash: '',
    origin: 'https://portal.example',
    replace: (address: string) => exits.push(address),
    reload: () => exits.push('reload'),
  }
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', location)
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    listeners[name] = [...(listeners[name] ?? []), listener]
  })
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
  vi.stubGlobal('scrollY', 0)
  return {
    exits,
    entries: () => entries.map(({ href }, i) => (i === position ? `[${href}]` : href)),
  }
}
