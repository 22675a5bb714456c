import { isImageName, isVideoName } from '@atrium/rules/validators'

/** What the address in the address bar asks to show. */
export type MediaAddress =
  | { kind: 'file'; id: string; name?: string; expires?: string; signature?: string }
  | { kind: 'play' | 'sound'; url: string }
  | { kind: 'outside'; url: string }
  | { kind: 'refused' }

const sound = /\.(mp3|m4a|aac|ogg|oga|wav|flac|amr|opus)$/i

/**
 * Our files by id, videos and sound of listed hosts directly, other HTTPS addresses outside the app.
 * @param hosts `host` or `host:port`, lower case
 */
export function mediaAddress(text: string, origin: string, hosts: readonly string[]): MediaAddress {
  let url: URL
  try {
    url = new URL(text, origin)
  } catch {
    return { kind: 'refused' }
  }
  if (url.username || url.password) return { kind: 'refused' }
  if (url.origin === origin) {
    const [, id, named] = /^\/files\/(\d{1,18})(?:\/([^/]*))?$/.exec(url.pathname) ?? []
    if (!id) return { kind: 'refused' }
    const name = decoded(named)
    const expires = url.searchParams.get('expires')
    const signature = url.searchParams.get('signature')
    return {
      kind: 'file',
      id,
      ...(name && { name }),
      ...(expires && signature && { expires, signature }),
    }
  }
  if (url.protocol !== 'https:') return { kind: 'refused' }
  if (!hosts.includes(url.host)) return { kind: 'outside', url: url.href }
  if (sound.test(url.pathname)) return { kind: 'sound', url: url.href }
  // External pictures come through the image service, which has its own list.
  if (isImageName(url.pathname)) return { kind: 'outside', url: url.href }
  return isVideoName(url.pathname)
    ? { kind: 'play', url: url.href }
    : { kind: 'outside', url: url.href }
}

/** The address for downloading one of our files. */
export const downloadOf = (url: string) => `${url}${url.includes('?') ? '&' : '?'}download=1`

function decoded(text = '') {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
