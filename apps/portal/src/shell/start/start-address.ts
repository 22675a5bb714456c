import { getPlace, replace } from '#shell/navigation/history.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { splitSearch } from '#shell/navigation/search.ts'

/** What brought a session along in the address the app was started with. */
export type Credential = {
  kind: 'token' | 'ticket'
  value: string
  /** The address without its credential: the service a ticket was made for. */
  service: string
}

/**
 * Takes the credential out of the address, before anything else is loaded that could see it: history, referrers and
 * screenshots keep what stands there.
 */
export function takeCredential(): Credential | undefined {
  const { href } = getPlace()
  const { token, idToken, ticket } = splitSearch(location.search)
  const clean = withoutCredential(href)
  if (clean === href) return undefined
  replace(clean)
  const service = location.origin + clean
  if (idToken || token) return { kind: 'token', value: (idToken || token) ?? '', service }
  return ticket ? { kind: 'ticket', value: ticket, service } : undefined
}

/** The rest stays byte for byte: a ticket is held against the very address it was made for. */
function withoutCredential(href: string) {
  const path = pathOf(href)
  const fields = href
    .slice(path.length + 1)
    .split('&')
    .filter((field) => !/^(token|idToken|ticket)(=|$)/.test(field))
  const search = fields.join('&')
  return search ? `${path}?${search}` : path
}
