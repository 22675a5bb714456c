/** A longer one is not opened: it is a mistake or an attempt. */
const longest = 2000

/**
 * The web address that a text from outside means, seen from our origin, or nothing where we would not open it at all: not
 * http or https, with a name and password in it (which only hide where it leads), or too long. What is opened is the
 * answer's `href`, never the text: `/\evil.com` and `https:evil.com` mean other places than they seem to.
 */
export function readWebAddress(text: string, origin: string): URL | undefined {
  if (text.length > longest) return undefined
  let url: URL
  try {
    url = new URL(text, origin)
  } catch {
    return undefined
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username || url.password || url.href.length > longest) return undefined
  // `/pages/..//evil.com` is a page of ours that nobody means; read again as an address it would be another host.
  return url.origin === new URL(origin).origin && url.pathname.startsWith('//') ? undefined : url
}
