/**
 * The person a calendar user address refers to (RFC 6638 §2.4.1): a member by username, or anybody by a lower-case mail
 * address.
 */
export type CalendarAddress = { username: string } | { email: string }

export const principalPath = (username: string) =>
  `/caldav/principals/${encodeURIComponent(username)}/`

/**
 * A mail address as in the HTML standard, with a dot in its domain. Contains nothing that could end a header or start
 * another address.
 */
const mailAddress =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/
const maxMail = 254

/** @returns undefined if the address refers to nobody */
export function readAddress(text: string, origin: string): CalendarAddress | undefined {
  const address = text.trim()
  try {
    if (/^mailto:/i.test(address)) {
      const email = decodeURIComponent(address.slice('mailto:'.length)).trim().toLowerCase()
      return email.length <= maxMail && mailAddress.test(email) ? { email } : undefined
    }
    const url = new URL(address, origin)
    if (url.host !== new URL(origin).host) return undefined
    const name = /^\/caldav\/principals\/([^/]+)\/?$/.exec(url.pathname)?.[1]
    return name ? { username: decodeURIComponent(name).toLowerCase() } : undefined
  } catch {
    return undefined
  }
}

export const addressKey = (named: CalendarAddress) =>
  'email' in named ? `mailto:${named.email}` : principalPath(named.username)

/** A member's addresses, the preferred one first, which programs write as ORGANIZER. */
export const addressesOf = ({ username, email }: { username: string; email: string }) => [
  ...(email ? [`mailto:${email}`] : []),
  principalPath(username),
]

export const isAddressOf = (
  named: CalendarAddress | undefined,
  { username, email }: { username: string; email: string },
) =>
  named !== undefined &&
  ('email' in named ? named.email === email.toLowerCase() : named.username === username)
