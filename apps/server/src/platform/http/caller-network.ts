import { isIP } from 'node:net'

/**
 * The key for counting requests: the IPv4 address, or the first 64 bits of an IPv6 address, because one IPv6 client
 * owns a /64 and could use a new address each time.
 * @param address as reported by the server or its proxy
 */
export function callerNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) !== 6) return plain
  const [before = '', after = ''] = plain.replace(/(\d+\.){3}\d+$/, '0:0').split('::')
  const head = before ? before.split(':') : []
  const tail = after ? after.split(':') : []
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
