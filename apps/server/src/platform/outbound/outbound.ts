import { lookup as resolve } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** Why an outgoing request failed, in a sentence. */
export class OutboundError extends Error {
  /** System error code such as ENOTFOUND or ECONNREFUSED, for network failures. */
  readonly network: string | undefined
  /** Other reasons that callers distinguish. */
  readonly because: 'closed' | 'plain' | 'late' | 'large' | undefined
  constructor(message: string, network?: string, because?: OutboundError['because']) {
    super(message)
    this.network = network
    this.because = because
  }
}

export type OutboundAnswer = {
  status: number
  address: string
  headers: http.IncomingHttpHeaders
  bytes: Buffer
}
export type OutboundSettings = {
  /** ATRIUM_OUTBOUND_ALLOW */
  allow?: string | undefined
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Return the status and headers without reading the body. */
  headersOnly?: boolean
  maxBytes?: number
  seconds?: number
  /** maximum number to follow; 'answer' returns the redirect itself */
  redirects?: number | 'answer'
  /** Personal or secret content: http is allowed only to networks opened with ATRIUM_OUTBOUND_ALLOW. */
  confidential?: boolean
}

/** Networks outside the public internet (IANA's special-purpose registries), closed to outgoing requests (SSRF). */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
/** In IPv6 only the global unicast range is public, without special-purpose blocks and those that embed IPv4. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')

/** Format of ATRIUM_OUTBOUND_ALLOW, for error messages. */
export const outboundAllowForm =
  'ranges, each with a port or for every port, comma-separated, such as 10.20.0.0/16:443,[fd00::/8]:443,10.30.0.0/16'

/** `port: undefined` means every port. */
type Allowed = { networks: BlockList; port: number | undefined }

/** Parses `10.20.0.0/16:443,[fd00::/8]:8080,10.30.0.0/16`; without a port a range applies to all. @throws Error */
export function readOutboundAllow(text: string | undefined): Allowed[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, ipv6, ipv4, port] =
        /^(?:\[([0-9a-f.:/]+)\]|([0-9./]+))(?::(\d{1,5}))?$/i.exec(part) ?? []
      const [network = '', prefix, more] = (ipv6 ?? ipv4 ?? '').split('/')
      const family = isIP(network)
      const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix)
      if (
        !family ||
        (family === 6) !== (ipv6 !== undefined) ||
        more !== undefined ||
        (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) ||
        bits > (family === 6 ? 128 : 32) ||
        (port !== undefined && (Number(port) < 1 || Number(port) > 65535))
      )
        throw new Error(outboundAllowForm)
      const networks = new BlockList()
      networks.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4')
      return { networks, port: port === undefined ? undefined : Number(port) }
    })
}

/**
 * Whether outgoing requests may connect to this address.
 * @param others whether public addresses are allowed
 */
export function mayReach(
  address: string,
  port: number,
  allowed: readonly Allowed[],
  others = true,
): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (
    allowed.some(
      (entry) =>
        (entry.port === undefined || entry.port === port) && entry.networks.check(plain, family),
    )
  )
    return true
  if (!others || special.check(plain, family)) return false
  return family === 'ipv4' ? isIP(plain) === 4 : globalUnicast.check(plain, 'ipv6')
}

/**
 * Whether an address names this machine or a private network, as an IP address or localhost, and is not opened. Other
 * names are not resolved: many systems resolve only on campus, and it is the member's device that connects.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export function isClosedAddress(url: URL, allow: string | undefined): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const literal = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host
  return isIP(literal) > 0 && !mayReach(literal, portOf(url), readOutboundAllow(allow))
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/**
 * Sends a request to an outside address. The check happens in the DNS lookup that the connection uses, so the address
 * cannot change in between; every redirect is checked again.
 * @throws OutboundError
 */
export async function fetchExternal(
  address: string,
  settings: OutboundSettings = {},
): Promise<OutboundAnswer> {
  const { seconds = 20, redirects = 3 } = settings
  const max = redirects === 'answer' ? 0 : redirects
  const allowed = readOutboundAllow(settings.allow)
  const signal = AbortSignal.timeout(seconds * 1000)
  let current = address
  let request = settings
  for (let hop = 0; hop <= max; hop++) {
    const answer = await ask(current, request, allowed, signal).catch(
      (error: NodeJS.ErrnoException) => {
        if (error instanceof OutboundError) throw error
        if (signal.aborted)
          throw new OutboundError(
            `${current} did not answer within ${seconds} s.`,
            undefined,
            'late',
          )
        throw new OutboundError(
          `${current} cannot be reached: ${error.message || error.code}.`,
          error.code,
        )
      },
    )
    const { location } = answer.headers
    if (redirects === 'answer') return answer
    if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return answer
    if (!URL.canParse(location, current))
      throw new OutboundError(`${current} redirects to ${location}, which is not a valid address.`)
    const next = new URL(location, current)
    request = redirected(request, answer.status, new URL(current), next)
    current = next.href
  }
  throw new OutboundError(
    max === 0
      ? `${address} redirects, which is not followed here.`
      : `${address} redirects more than ${max} times.`,
  )
}

/** Headers that another origin may see: they hold no credentials. */
const openHeaders = new Set(['accept', 'accept-language', 'if-modified-since', 'if-none-match'])

/**
 * The request that follows a redirect (Fetch standard, HTTP-redirect fetch), stricter towards other origins: they get neither
 * our headers nor the body, which can hold credentials or personal data.
 * @throws OutboundError if the body would have to go to another origin
 */
function redirected(
  settings: OutboundSettings,
  status: number,
  from: URL,
  to: URL,
): OutboundSettings {
  const { method = 'GET', headers = {}, body, ...rest } = settings
  const becomesGet =
    (status === 303 && method !== 'HEAD') || ([301, 302].includes(status) && method === 'POST')
  const next = becomesGet ? { ...rest, headers } : settings
  const isUpgrade =
    to.protocol === 'https:' && to.hostname === from.hostname && !to.port && !from.port
  if (to.origin === from.origin || isUpgrade) return next
  if (next.body !== undefined)
    throw new OutboundError(
      `${from.href} redirects a ${method} to ${to.host}; enter the final address instead.`,
    )
  const shown = Object.entries(headers).filter(([name]) => openHeaders.has(name.toLowerCase()))
  return { ...next, headers: Object.fromEntries(shown) }
}

const closed = (name: string, host: string, ip: string, port: number, plain: boolean) =>
  plain && mayReach(ip, port, [])
    ? new OutboundError(
        `${name} is outside the institution’s network and must be called over https.`,
        undefined,
        'plain',
      )
    : new OutboundError(
        `${name} is ${ip === host ? 'inside' : `${ip}, inside`} the institution’s own network, which is closed to outgoing requests. Open it with ATRIUM_OUTBOUND_ALLOW, for example ${ip.includes(':') ? `[${ip}/128]` : `${ip}/32`}:${port}.`,
        undefined,
        'closed',
      )

/**
 * A DNS lookup that checks addresses; the connection uses its result, so it cannot change in between.
 * @param name of the host, for error messages
 * @throws OutboundError for a closed literal address, which is never looked up
 */
export function checkedLookup(
  name: string,
  host: string,
  port: number,
  allowed: readonly Allowed[],
  others = true,
): LookupFunction {
  if (isIP(host) && !mayReach(host, port, allowed, others))
    throw closed(name, host, host, port, !others)
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const bad = found.find((entry) => !mayReach(entry.address, port, allowed, others))
      const first = found[0]
      if (bad || !first)
        return callback(
          bad
            ? closed(name, host, bad.address, port, !others)
            : new OutboundError(`${hostname} cannot be resolved to an address.`),
          '',
          0,
        )
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
}

const targetOf = (url: URL, confidential = false) => ({
  port: portOf(url),
  host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  others: !(confidential && url.protocol === 'http:'),
})

/**
 * Why a confidential request to this address would be refused; undefined if it is allowed.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 */
export async function outboundIssue(
  address: string,
  allow: string | undefined,
): Promise<OutboundError | undefined> {
  const url = new URL(address)
  const { host, port, others } = targetOf(url, true)
  try {
    const look = checkedLookup(url.host, host, port, readOutboundAllow(allow), others)
    if (isIP(host)) return undefined
    await new Promise<void>((settle, reject) =>
      look(host, { all: true }, (error) => (error ? reject(error) : settle())),
    )
    return undefined
  } catch (error) {
    if (error instanceof OutboundError) return error
    const { code } = error as NodeJS.ErrnoException
    return new OutboundError(`${url.hostname} cannot be resolved to an address (${code}).`, code)
  }
}

async function ask(
  address: string,
  settings: OutboundSettings,
  allowed: Allowed[],
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { maxBytes = 5_000_000 } = settings
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new OutboundError(`${address} is not an http or https address.`)
  const url = new URL(address)
  if (url.username || url.password)
    throw new OutboundError('Addresses that contain a username or password are not allowed.')
  const { host, port, others } = targetOf(url, settings.confidential)
  const lookup = checkedLookup(url.host, host, port, allowed, others)
  return new Promise((settle, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: settings.method ?? 'GET',
        lookup,
        signal,
        agent: false,
        headers: { 'user-agent': 'Atrium', 'accept-encoding': 'gzip, br', ...settings.headers },
      },
      (response) => {
        const about = { status: response.statusCode ?? 0, address, headers: response.headers }
        response.on('error', reject)
        if (settings.headersOnly) {
          settle({ ...about, bytes: Buffer.alloc(0) })
          return void request.destroy()
        }
        const chunks: Buffer[] = []
        let size = 0
        const tooLarge = () =>
          new OutboundError(`${address} is larger than ${maxBytes / 1e6} MB.`, undefined, 'large')
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) request.destroy(tooLarge())
          else chunks.push(chunk)
        })
        response.on('end', () => {
          const done = (bytes: Buffer) => settle({ ...about, bytes })
          decode(Buffer.concat(chunks), response.headers['content-encoding'], maxBytes).then(
            done,
            (error: NodeJS.ErrnoException) =>
              reject(
                error.code === 'ERR_BUFFER_TOO_LARGE'
                  ? tooLarge()
                  : new OutboundError(
                      `${address} sends a body that is not compressed as declared.`,
                    ),
              ),
          )
        })
      },
    )
    request.on('error', reject)
    request.end(settings.body)
  })
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', promisify(inflate)],
])
/** Limits the unpacked size: a small body can unpack to a very large one. */
async function decode(bytes: Buffer, encoding: string | undefined, max: number): Promise<Buffer> {
  const decoder = decoders.get((encoding ?? '').toLowerCase())
  return decoder && bytes.length > 0 ? decoder(bytes, { maxOutputLength: max }) : bytes
}
