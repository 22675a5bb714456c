/** A file of ours, by its key, or one elsewhere, by its address. */
type FileLink = { link: string; ownId: string | null }

/**
 * What may be kept as the address of a file: one of ours, without the signature that passes, or an https or http one elsewhere.
 * Nothing that a browser would run.
 */
export function readFileLink(
  text: string,
  isOwnOrigin: (origin: string) => boolean,
): FileLink | undefined {
  const given = text.trim()
  if (!URL.canParse(given, 'https://own.invalid')) return undefined
  const url = new URL(given, 'https://own.invalid')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username || url.password) return undefined
  if (url.hostname !== 'own.invalid' && !isOwnOrigin(url.origin))
    return { link: url.href, ownId: null }
  const id = /^\/files\/([0-9]{1,18})(\/[\w.-]{1,100})?$/.exec(url.pathname)?.[1]
  return id ? { link: url.pathname, ownId: id } : undefined
}
