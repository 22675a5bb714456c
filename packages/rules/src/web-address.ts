/** Longer addresses are not opened: they are a mistake or an attack. */
const maxLength = 2000

/**
 * Resolves an address from an external text against our origin. Returns undefined for addresses that must not be
 * opened: not http or https, containing a user name or password (which only obscure the target), or too long. Always
 * open the result's `href`, never the text: `/\evil.com` and `https:evil.com` do not lead where they seem to.
 */
export function readWebAddress(text: string, origin: string): URL | undefined {
  if (text.length > maxLength) return undefined
  let url: URL
  try {
    url = new URL(text, origin)
  } catch {
    return undefined
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username || url.password || url.href.length > maxLength) return undefined
  // `/pages/..//evil.com` resolves to a useless page of ours; read again as an address it would be another host.
  return url.origin === new URL(origin).origin && url.pathname.startsWith('//') ? undefined : url
}
