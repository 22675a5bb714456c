/** What a browser says of the page that sent a request; another program says nothing. */
export type Sender = {
  fetchSite: string | undefined
  origin: string | undefined
  host: string | undefined
  contentType: string | undefined
}

/**
 * Whether a request that carries the refresh cookie may have come from a page of another origin. Browsers that are served
 * send `Sec-Fetch-Site`, or at least `Origin` with every POST; a form of another site cannot send JSON.
 */
export function mayBeForged(sender: Sender, isOwnOrigin: (origin: string) => boolean): boolean {
  const { fetchSite, origin, host, contentType } = sender
  if (contentType && !/^application\/json\b/i.test(contentType)) return true
  if (fetchSite !== undefined) return fetchSite !== 'same-origin'
  if (origin === undefined) return false
  if (isOwnOrigin(origin)) return false
  // Reached by another name, such as a machine in the local network: the page's own host is what it was sent to.
  return !URL.canParse(origin) || new URL(origin).host !== host
}
