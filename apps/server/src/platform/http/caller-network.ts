import { isIP } from 'node:net'

/**
 * What callers are counted by: their address, of IPv6 its first 64 bits. Whoever has one address there has the whole
 * network, and could come from another one each time.
 * @param address of a request, as the server or its proxy tells it
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
