import { isIP } from 'node:net'
import type { ImapWay, PersonalConnector } from '@atrium/contract/member/personal-source'
import type { ImapFlow } from 'imapflow'
import { expandPointers } from '#domains/work/task-integration/pointer.ts'
import { checkedLookup, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { type RawAnswer, SourceError, type SourceRequest } from './source-request.ts'

/** Number of latest messages whose subject is read. */
const maxMessages = 5

/**
 * Reads a mailbox over IMAP (RFC 9051). The login names the member, as a master user or by SASL's authorization
 * identity, so the answer cannot be about anybody else.
 */
export async function queryImap(
  { timeoutSeconds }: PersonalConnector,
  transport: ImapWay,
  { secret = '', allow, who }: SourceRequest,
): Promise<RawAnswer> {
  const { host, port, encryption } = transport
  const fill = (text: string) => expandPointers(text, who)
  const address = await resolveHost(host, port, allow, encryption !== 'none')
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: address,
    ...(!isIP(host) && { servername: host }),
    port,
    secure: encryption === 'tls',
    doSTARTTLS: encryption === 'starttls',
    auth: {
      user: fill(transport.login),
      pass: secret,
      ...(transport.actAs && {
        authzid: fill(transport.actAs),
        loginMethod: 'AUTH=PLAIN' as const,
      }),
    },
    tls: { minVersion: 'TLSv1.2', ...(transport.ca && { ca: transport.ca }) },
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: 200_000,
    connectionTimeout: timeoutSeconds * 1000,
    greetingTimeout: timeoutSeconds * 1000,
    socketTimeout: timeoutSeconds * 1000,
  })
  client.on('error', () => {})
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SourceError(`it did not answer within ${timeoutSeconds} s`)),
      timeoutSeconds * 1000,
    )
  })
  try {
    return await Promise.race([readMailbox(client, fill(transport.address)), timeout])
  } finally {
    clearTimeout(timer)
    client.close()
  }
}

async function readMailbox(client: ImapFlow, address: string): Promise<RawAnswer> {
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
  const mailbox = await client.mailboxOpen('INBOX', { readOnly: true })
  const status = await client.status('INBOX', { unseen: true, messages: true })
  const list: Record<string, string | undefined>[] = []
  if (mailbox.exists > 0)
    for await (const { envelope, internalDate } of client.fetch(
      `${Math.max(1, mailbox.exists - maxMessages + 1)}:*`,
      { envelope: true, internalDate: true },
    )) {
      const [from] = envelope?.from ?? []
      const date = internalDate ?? envelope?.date
      list.unshift({
        subject: envelope?.subject,
        from: from?.name || from?.address,
        at: date && new Date(date).toISOString(),
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
function resolveHost(host: string, port: number, allow: string | undefined, encrypted: boolean) {
  const lookup = checkedLookup(`${host}:${port}`, host, port, readOutboundAllow(allow), encrypted)
  if (isIP(host)) return host
  return new Promise<string>((resolve, reject) =>
    lookup(host, {}, (error, address) => (error ? reject(error) : resolve(String(address)))),
  )
}
