/** characters */
const maxServiceLength = 2000

/**
 * Normalises a service address for comparison when a ticket is issued and redeemed; null if invalid. The query stays
 * byte for byte, because older systems encode it in GBK.
 */
export function normalizeService(service: string): string | null {
  // Browsers strip tabs and line breaks from addresses; they have no legitimate use.
  if (service.length > maxServiceLength || /[\t\r\n]/.test(service)) return null
  if (!/^https?:\/\//i.test(service) || !URL.canParse(service)) return null
  const url = new URL(service)
  if (url.username || url.password) return null
  url.hash = ''
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => !['ticket', 'SAMLart'].some((name) => new URLSearchParams(part).has(name)))
    .join('&')
  return url.href
}
