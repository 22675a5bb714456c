import { BlockList, isIP } from 'node:net'

/**
 * Name of the network an address belongs to, from the setting `addressPlaces` (network → name). The narrowest matching
 * network applies. No external service is queried.
 */
export function networkName(places: string, address: string): string {
  const family = isIP(address)
  if (family === 0) return ''
  const normalized = address.replace(/^::ffff:(?=\d+\.)/, '')
  const networks = networksOf(places)
  return (
    networks.find(({ list }) => list.check(normalized, isIP(normalized) === 6 ? 'ipv6' : 'ipv4'))
      ?.name ?? ''
  )
}

type Network = { list: BlockList; name: string }
let cached: { places: string; networks: Network[] } | undefined

/** Parses the setting; the result is cached until the setting changes. */
function networksOf(places: string): Network[] {
  if (cached?.places !== places) cached = { places, networks: readNetworks(places) }
  return cached.networks
}

function readNetworks(places: string): Network[] {
  const entries = Object.entries(JSON.parse(places || '{}') as Record<string, string>)
  return entries
    .flatMap(([network, name]) => {
      const [base = '', bits] = network.trim().split('/')
      const family = isIP(base)
      if (family === 0) return []
      const size = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits)
      if (!Number.isInteger(size) || size < 0 || size > (family === 6 ? 128 : 32)) return []
      const list = new BlockList()
      list.addSubnet(base, size, family === 6 ? 'ipv6' : 'ipv4')
      return [{ list, name, size: family === 6 ? size : size + 96 }]
    })
    .sort((one, other) => other.size - one.size)
}
