import net, { isIP } from 'node:net'
import tls from 'node:tls'
import type { DirectorySettings } from '@atrium/contract/identity/directory'
import { Client, Filter, ResultCodeError, type SearchOptions } from 'ldapts'
import { checkedLookup, OutboundError, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { type Attributes, attributesOf, isBinary, valuesOf } from './entries.ts'

export type Step = 'address' | 'connect' | 'encrypt' | 'bind'

/** Why a directory could not be queried, as a sentence for its operator. */
export class DirectoryError extends Error {
  readonly step: Step
  readonly server: string
  constructor(step: Step, server: string, sentence: string) {
    super(sentence)
    this.step = step
    this.server = server
  }
}

/** A directory with its decrypted credentials. */
export type Directory = {
  code: string
  settings: DirectorySettings
  bindPassword: string
}
type Timeouts = { connectSeconds: number; answerSeconds: number; seconds?: number }

/** For interactive sign-in, where somebody is waiting. */
export const interactiveTimeouts: Timeouts = { connectSeconds: 3, answerSeconds: 5, seconds: 9 }
export const importTimeouts: Timeouts = { connectSeconds: 10, answerSeconds: 120 }

export type Connection = { client: Client; server: string }

/**
 * Runs `work` on a connection bound as the directory's reader, to the first server that answers. Referrals are never
 * followed, as they may lead to hosts outside the settings.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 * @param onStep called after each step with its outcome
 * @throws DirectoryError if no server could be used; errors of `work`
 */
export async function withDirectory<T>(
  directory: Directory,
  allow: string | undefined,
  timeouts: Timeouts,
  work: (connection: Connection) => Promise<T>,
  onStep: (server: string, step: Step, issue?: DirectoryError) => void = () => {},
): Promise<T> {
  const until = timeouts.seconds ? Date.now() + timeouts.seconds * 1000 : Number.POSITIVE_INFINITY
  let last: DirectoryError | undefined
  for (const server of directory.settings.servers) {
    if (Date.now() >= until) break
    const sockets: net.Socket[] = []
    /** Limits a step to the deadline; work without its own timeout ends when the connection is closed. */
    const withDeadline = async <R>(end: number, step: () => Promise<R>): Promise<R> => {
      if (!Number.isFinite(end)) return step()
      let timer: NodeJS.Timeout | undefined
      const expired = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new DirectoryError('connect', server, `${server} did not answer in time.`)),
          Math.max(0, end - Date.now()),
        )
      })
      return Promise.race([step(), expired]).finally(() => clearTimeout(timer))
    }
    try {
      const openUntil = Date.now() + (timeouts.connectSeconds + timeouts.answerSeconds) * 1000
      const client = await withDeadline(Math.min(until, openUntil), () =>
        open(directory, server, allow, timeouts, sockets, (step) => onStep(server, step)),
      )
      return await withDeadline(until, () => work({ client, server }))
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      onStep(server, error.step, error)
      last = error
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  }
  throw last ?? new DirectoryError('connect', '', 'No server answered in time.')
}

async function open(
  { settings, bindPassword }: Directory,
  server: string,
  allow: string | undefined,
  timeouts: Timeouts,
  sockets: net.Socket[],
  onStep: (step: Step) => void,
): Promise<Client> {
  const url = new URL(server)
  const secure = url.protocol === 'ldaps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || (secure ? 636 : 389))
  const issue = (step: Step, sentence: string) => new DirectoryError(step, server, sentence)
  // A bind with a name and an empty password is anonymous, and reported as success (RFC 4513 §5.1.2).
  if (settings.bindDn && !bindPassword)
    throw issue('bind', `No password is stored for ${settings.bindDn}. Set bindPassword.`)
  const lookup = mapErrors(
    () => checkedLookup(`${host}:${port}`, host, port, readOutboundAllow(allow)),
    (error) => issue('address', error.message),
  )
  const encryption: tls.ConnectionOptions = {
    ...(settings.ca && { ca: settings.ca }),
    // An IP address is not sent as SNI, but is still checked against the certificate.
    ...(!isIP(host) && { servername: host }),
    host,
    minVersion: 'TLSv1.2',
  }
  /** A lost connection is not reopened: its state, including encryption, would be lost. */
  const trackSocket = (socket: net.Socket) => {
    if (sockets.length > 0 && socket !== sockets[0]) {
      socket.destroy()
      throw new Error('the connection was lost')
    }
    sockets.push(socket)
    return socket
  }
  const client = new Client({
    url: `${secure ? 'ldaps' : 'ldap'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    timeout: timeouts.answerSeconds * 1000,
    connectTimeout: timeouts.connectSeconds * 1000,
    createConnection: (() => trackSocket(net.connect({ host, port, lookup }))) as never,
    createSecureConnection: ((...args: unknown[]) =>
      args.length === 1
        ? tls.connect(args[0] as tls.ConnectionOptions)
        : trackSocket(tls.connect({ port, lookup, ...encryption }))) as never,
  })
  try {
    if (secure || !settings.startTls) await client.bind(settings.bindDn, bindPassword)
    else {
      await client.startTLS(encryption)
      onStep('encrypt')
      await client.bind(settings.bindDn, bindPassword)
    }
    onStep('bind')
    return client
  } catch (error) {
    throw toDirectoryError(error as Error)
  }

  function toDirectoryError(error: Error & { code?: unknown }): DirectoryError {
    const code = typeof error.code === 'string' ? error.code : ''
    if (error instanceof OutboundError) return issue('address', error.message)
    if (error instanceof ResultCodeError) {
      if (error.code === 49)
        return issue(
          'bind',
          `${server} does not accept the password of ${settings.bindDn}. Set bindPassword again, or check bindDn.`,
        )
      if (error.code === 13 || error.code === 8)
        return issue(
          'encrypt',
          `${server} requires an encrypted connection: use ldaps:// or startTls.`,
        )
      return issue('bind', `${server} refused: ${errorLine(error)}`)
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return issue(
        'address',
        `The name ${host} cannot be resolved. Check it, and this machine’s DNS.`,
      )
    if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|SSL|TLS/.test(code))
      return issue(
        'encrypt',
        `${server} presents a certificate that is not trusted here (${code}: ${error.message}). Set ca to the issuer’s certificate, and use the host name in the certificate.`,
      )
    if (code === 'ECONNREFUSED')
      return issue('connect', `${server} refuses the connection: nothing listens on port ${port}.`)
    if (code === 'ECONNRESET' || code === 'EPROTO')
      return issue(
        'encrypt',
        `${server} closed the connection: the port may require ${secure ? 'ldap:// with startTls' : 'ldaps://'}.`,
      )
    return issue(
      'connect',
      `${server} did not answer: ${error.message}. Check that the network allows the connection.`,
    )
  }
}

function mapErrors<T>(work: () => T, toError: (error: Error) => Error): T {
  try {
    return work()
  } catch (error) {
    throw toError(error as Error)
  }
}

/** A server's error message on one line. */
export const errorLine = (error: Error) => error.message.replaceAll(/\s+/g, ' ').slice(0, 300)

/** A filter for the entry with this key, combined with another filter. */
export function filterForKey(filter: string, attribute: string, key: string): string {
  const value = isBinary(attribute) ? Filter.escape(Buffer.from(key, 'hex')) : Filter.escape(key)
  return `(&${filter}(${attribute}=${value}))`
}

/** Yields entries page by page. References to other servers are ignored. */
export async function* entriesOf(
  { client }: Connection,
  base: string,
  { filter, attributes }: { filter: string; attributes: readonly string[] },
) {
  const pages = client.searchPaginated(
    base,
    searchOptionsFor(filter, attributes, { paged: { pageSize: 500 } }),
  )
  for await (const { searchEntries } of pages) yield* searchEntries
}

export const searchOptionsFor = (
  filter: string,
  attributes: readonly string[],
  extra: SearchOptions = {},
): SearchOptions => ({
  scope: 'sub',
  derefAliases: 'never',
  filter,
  attributes: [...new Set(attributes)],
  explicitBufferAttributes: ['objectGUID', 'objectSid', ...attributes.filter(isBinary)],
  ...extra,
})

/** Yields all members of a group; Active Directory returns large groups in ranges, `member;range=0-1499`. */
export async function* membersOf(
  { client }: Connection,
  dn: string,
  attributes: Attributes,
  name: string,
): AsyncGenerator<string> {
  yield* valuesOf(attributes, name)
  const findRange = (of: Attributes) =>
    [...of.entries()].find(([key]) => key.startsWith(`${name.toLowerCase()};range=`))
  for (let part = findRange(attributes); part; ) {
    const [key, values] = part
    yield* values
    const last = /-(\d+)$/.exec(key)?.[1]
    if (!last) return
    const { searchEntries } = await client.search(dn, {
      scope: 'base',
      attributes: [`${name};range=${Number(last) + 1}-*`],
    })
    part = searchEntries[0] && findRange(attributesOf(searchEntries[0]))
  }
}
