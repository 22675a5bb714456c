import { isIP } from 'node:net'
import type { ImapWay, PersonalConnector } from '@atrium/contract/member/personal-source'
import { ImapFlow } from 'imapflow'
import { fillIn } from '#domains/work/task-integration/pointer.ts'
import { lookupOutside, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { type Asked, type Asking, SourceError } from './asked.ts'

/** Number of latest messages whose subject is read. */
const newest = 5

/**
 * Reads a mailbox over IMAP (RFC 9051). The login names the member, as a master user or by SASL's authorization
 * identity, so the answer cannot be about anybody else.
 */
export async function askImap(
  { timeoutSeconds }: PersonalConnector,
  way: ImapWay,
  { secret = '', allow, who }: Asking,
): Promise<Asked> {
  const { host, port, encryption } = way
  const fill = (text: string) => fillIn(text, who)
  const address = await resolve(host, port, allow, encryption !== 'none')
  const client = new ImapFlow({
    host: address,
    ...(!isIP(host) && { servername: host }),
    port,
    secure: encryption === 'tls',
    doSTARTTLS: encryption === 'starttls',
    auth: {
      user: fill(way.login),
      pass: secret,
      ...(way.actAs && { authzid: fill(way.actAs), loginMethod: 'AUTH=PLAIN' as const }),
    },
    tls: { minVersion: 'TLSv1.2', ...(way.ca && { ca: way.ca }) },
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: 200_000,
    connectionTimeout: timeoutSeconds * 1000,
    greetingTimeout: timeoutSeconds * 1000,
    socketTimeout: timeoutSeconds * 1000,
  })
  client.on('error', () => {})
  let late: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    late = setTimeout(
      () => reject(new SourceError(`it did not answer within ${timeoutSeconds} s`)),
      timeoutSeconds * 1000,
    )
  })
  try {
    return await Promise.race([read(client, fill(way.address)), end])
  } finally {
    clearTimeout(late)
    client.close()
  }
}

async function read(client: ImapFlow, address: string): Promise<Asked> {
  try {
    await client.connect()
  } catch (error) {
    // A missing mailbox and a wrong password of ours look the same, so neither counts as "unknown member".
    const { authenticationFailed, serverResponseCode } = error as {
      authenticationFailed?: boolean
      serverResponseCode?: string
    }
    if (authenticationFailed)
      throw new SourceError(
        `it refuses the sign-in${serverResponseCode ? ` (${serverResponseCode})` : ''}`,
      )
    throw error
  }
  const opened = await client.mailboxOpen('INBOX', { readOnly: true })
  const status = await client.status('INBOX', { unseen: true, messages: true })
  const list: Record<string, string | undefined>[] = []
  if (opened.exists > 0)
    for await (const { envelope, internalDate } of client.fetch(
      `${Math.max(1, opened.exists - newest + 1)}:*`,
      { envelope: true, internalDate: true },
    )) {
      const [from] = envelope?.from ?? []
      const at = internalDate ?? envelope?.date
      list.unshift({
        subject: envelope?.subject,
        from: from?.name || from?.address,
        at: at && new Date(at).toISOString(),
      })
    }
  const fields: Record<string, string | undefined> = {
    unread: String(status ? status.unseen : ''),
    total: String(status ? status.messages : ''),
    address,
  }
  return {
    raw: {
      text: (field) => fields[field],
      lists: { list: list.map((message) => (field) => message[field]) },
    },
    problems: [],
  }
}

/** Resolves the host to an allowed address. @throws OutboundError */
function resolve(host: string, port: number, allow: string | undefined, encrypted: boolean) {
  const look = lookupOutside(`${host}:${port}`, host, port, readOutboundAllow(allow), encrypted)
  if (isIP(host)) return host
  return new Promise<string>((settle, reject) =>
    look(host, {}, (error, address) => (error ? reject(error) : settle(String(address)))),
  )
}
