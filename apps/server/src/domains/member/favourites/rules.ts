/** One of our files by id, or an outside one by address. */
type FileLink = { link: string; ownId: string | null }

/**
 * Parses a file address to store: one of ours without its temporary signature, or an outside http or https one. Refuses
 * schemes that browsers would execute.
 */
export function readFileLink(
  text: string,
  isOwnOrigin: (origin: string) => boolean,
): FileLink | undefined {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed, 'https://own.invalid')) return undefined
  const url = new URL(trimmed, 'https://own.invalid')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username || url.password) return undefined
  if (url.hostname !== 'own.invalid' && !isOwnOrigin(url.origin))
    return { link: url.href, ownId: null }
  const id = /^\/files\/([0-9]{1,18})(\/[\w.-]{1,100})?$/.exec(url.pathname)?.[1]
  return id ? { link: url.pathname, ownId: id } : undefined
}
