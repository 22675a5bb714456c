import { getHistoryEntry, replace } from '#shell/navigation/history.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { splitSearch } from '#shell/navigation/search.ts'

/** The credential in the address with which the app was started. */
export type Credential = {
  kind: 'token' | 'ticket'
  value: string
  /** The address without its credential: the service for which a ticket was issued. */
  service: string
}

/**
 * Removes the credential from the address before anything that could read it loads: history, referrers and screenshots
 * would retain it.
 */
export function takeCredential(): Credential | undefined {
  const { href } = getHistoryEntry()
  const { token, idToken, ticket } = splitSearch(location.search)
  const clean = withoutCredential(href)
  if (clean === href) return undefined
  replace(clean)
  const service = location.origin + clean
  if (idToken || token) return { kind: 'token', value: (idToken || token) ?? '', service }
  return ticket ? { kind: 'ticket', value: ticket, service } : undefined
}

/** The rest stays byte for byte, because a ticket is checked against the exact address it was issued for. */
function withoutCredential(href: string) {
  const path = pathOf(href)
  const fields = href
    .slice(path.length + 1)
    .split('&')
    .filter((field) => !/^(token|idToken|ticket)(=|$)/.test(field))
  const search = fields.join('&')
  return search ? `${path}?${search}` : path
}
