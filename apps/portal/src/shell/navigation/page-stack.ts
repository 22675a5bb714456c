/** The ways to move forward. A tab is always switched to, whatever the caller asks for. */
export type Verb = 'navigate' | 'redirect' | 'switchTab' | 'relaunch'

/** What the browser's history has to do for a move. */
export type Move =
  | { do: 'nothing' }
  | { do: 'push'; href: string }
  | { do: 'replace'; href: string }
  /** Go back `steps` entries and replace the entry reached with `href`. */
  | { do: 'back'; steps: number; href?: string }

export type Position = {
  /** Steps back to the page the app was started on. */
  depth: number
  /** The current address. */
  href: string
  /** Home lies below the page the app was started on. */
  homeBelow?: boolean
}

export function planMove(verb: Verb, href: string, position: Position, isTab: boolean): Move {
  const kind = isTab && verb === 'navigate' ? 'switchTab' : verb
  if (kind !== 'relaunch' && href === position.href && (!isTab || position.depth === 0))
    return { do: 'nothing' }
  if (kind === 'navigate') return { do: 'push', href }
  if (kind === 'redirect') return { do: 'replace', href }
  // Tabs and a fresh start are at the bottom of the stack: the pages above are removed.
  return position.depth > 0 ? { do: 'back', steps: position.depth, href } : { do: 'replace', href }
}

/** At the bottom of the stack, going back leads home; on home it does nothing. */
export function planBack(steps: number, position: Position, home: string): Move {
  if (position.depth >= steps) return { do: 'back', steps }
  if (position.depth > 0) return { do: 'back', steps: position.depth }
  if (pathOf(position.href) === home) return { do: 'nothing' }
  return position.homeBelow ? { do: 'back', steps: 1 } : { do: 'replace', href: home }
}

export const pathOf = (href: string) => href.split(/[?#]/)[0] ?? ''
