/**
 * Whether an address lies under one of the prefixes configured by an operator (`scanWhiteList`, `casArry`,
 * `authCollects`). Parsed origins are compared, then paths at a `/`: `https://a.cn` covers neither
 * `https://a.cn.evil.com` nor `https://a.cn@evil.com`, and `https://a.cn/app` not `https://a.cn/apple`. An address that
 * is not http or https, or contains a user name, matches no prefix.
 */
export function matchesPrefix(address: string, prefixes: readonly string[]): boolean {
  const target = parseUrl(address)
  if (!target) return false
  return prefixes.some((text) => {
    const prefix = parseUrl(text)
    if (!prefix || prefix.origin !== target.origin) return false
    return (
      isBelow(target.pathname, prefix.pathname) &&
      isBelow(normalizePath(target.pathname), normalizePath(prefix.pathname))
    )
  })
}

function parseUrl(text: unknown) {
  // Browsers drop tabs and line breaks inside an address; no legitimate address contains them.
  if (typeof text !== 'string' || /[\t\r\n]/.test(text)) return undefined
  if (!/^\s*https?:\/\//i.test(text)) return undefined
  try {
    const url = new URL(text)
    return url.username || url.password ? undefined : url
  } catch {
    return undefined
  }
}

function isBelow(path: string, prefix: string) {
  const folder = prefix.replace(/\/+$/, '')
  return path === folder || path.startsWith(`${folder}/`)
}

/**
 * The path as a lenient server may read it: `%2f` and `%5c` decoded as slashes, double unescaping behind a proxy, and
 * `;parameters` dropped as Tomcat does. Such a path can leave the folder it seems to be in, so it must match the prefix
 * in either reading.
 */
function normalizePath(path: string) {
  const unescaped = path
    .replace(/%(?:25)+/g, '%')
    .replace(/%2e/gi, '.')
    .replace(/%3b/gi, ';')
    .replace(/%2f|%5c/gi, '/')
    .replace(/\\/g, '/')
  const parts: string[] = []
  for (const part of unescaped.split('/').slice(1)) {
    const name = part.replace(/;.*$/, '')
    if (name === '..') parts.pop()
    else if (name !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
