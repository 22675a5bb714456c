/** characters */
const maxServiceLength = 2000

/**
 * How the address of a service is compared, where a ticket is given and where it is redeemed; null where it is none. What it
 * asks for stays byte for byte: older systems write it in GBK.
 */
export function normalisedService(service: string): string | null {
  // Browsers drop tabs and line breaks inside an address; nobody writes them in good faith.
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
