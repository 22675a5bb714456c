export type Source =
  | { kind: 'file'; id: string; expires?: string | undefined; signature?: string | undefined }
  | { kind: 'remote'; url: string }

/**
 * Classifies a picture's address: a file of ours, or one on a host that an operator has listed. Others are refused.
 * @param hosts `host` or `host:port`, lower case
 */
export function sourceOf(
  text: string,
  hosts: readonly string[],
  isOwnOrigin: (origin: string) => boolean,
): Source | undefined {
  const own = /^\/?(files\/.*)$/.exec(text)?.[1]
  if (own) return fileOf(`/${own}`)
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`
  // Without a scheme, as thumbor allows, the text starts with the host name.
  if (!/^[a-z0-9]/i.test(text) || !URL.canParse(full)) return undefined
  const url = new URL(full)
  if (url.username || url.password) return undefined
  if (isOwnOrigin(url.origin)) return fileOf(url.pathname + url.search)
  url.hash = ''
  return hosts.includes(url.host) ? { kind: 'remote', url: url.href } : undefined
}

function fileOf(path: string): Source | undefined {
  const [, id, query = ''] = /^\/files\/(\d{1,18})(?:\/[^/?]*)?(?:\?(.*))?$/.exec(path) ?? []
  if (!id) return undefined
  const search = new URLSearchParams(query)
  return {
    kind: 'file',
    id,
    expires: search.get('expires') ?? undefined,
    signature: search.get('signature') ?? undefined,
  }
}
