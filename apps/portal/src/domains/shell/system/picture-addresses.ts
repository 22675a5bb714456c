/** Nobody views more than that; an address that names more is abuse. */
const maxPictures = 100

/**
 * The pictures named by an address: `urls` is a JSON or comma-separated list. Only uploads and the image service of our
 * own origin are accepted; others are dropped.
 * @param current one of them, or its index in the list, from 0
 */
export function pictureAddresses(urls: string, current: string | undefined, origin: string) {
  const named = readList(urls).slice(0, maxPictures)
  const shown = named.filter((url) => resolveOwnPicture(url, origin))
  const requested = /^\d{1,3}$/.test(current ?? '') ? named[Number(current)] : current
  return {
    pictures: shown.map((url) => resolveOwnPicture(url, origin) as string),
    at: Math.max(0, shown.indexOf(requested ?? '')),
  }
}

/** The address as resolved by the browser, if it is one of our pictures. */
export function resolveOwnPicture(url: string, origin: string) {
  try {
    const { origin: from, pathname, search } = new URL(url, origin)
    return from === origin && /^\/(files|thumbor)\/./.test(pathname) ? pathname + search : undefined
  } catch {
    return undefined
  }
}

function readList(urls: string): string[] {
  if (!urls.trimStart().startsWith('[')) return urls.split(',').filter(Boolean)
  try {
    const list: unknown = JSON.parse(urls)
    return Array.isArray(list) ? list.filter((url) => typeof url === 'string') : []
  } catch {
    return []
  }
}
