import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import type { Environment } from '#platform/environment.ts'
import { mayReach, readOutboundAllow } from '#platform/outbound/outbound.ts'
import type { Mail } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'

/**
 * The institution's mail server: smtps:// is TLS from the start, smtp:// must offer STARTTLS unless the address ends in
 * `?tls=off`.
 */
export function mailBySmtp(env: Environment) {
  const url = new URL(env.ATRIUM_MAIL_URL ?? '')
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || (secure ? 465 : 587))
  const plain = url.searchParams.get('tls') === 'off'
  const options: SMTPTransport.Options = {
    host,
    port,
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Mails are made of our own texts: nothing in them names a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    getSocket(_options, done) {
      reach(host, port, env.ATRIUM_OUTBOUND_ALLOW).then(
        (connection) => done(null, { connection }),
        (error) => done(error, undefined),
      )
    },
  }
  // Loaded where there is a mail server at all.
  const connected = import('nodemailer').then(({ createTransport }) => createTransport(options))
  return {
    async send(mail: Mail) {
      const transport = await connected
      await transport
        .sendMail({
          from: env.ATRIUM_MAIL_FROM,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          ...(mail.html && { html: mail.html }),
          // One part among alternatives, as RFC 6047 says, and a file for readers that do not know it.
          ...(mail.calendar && {
            replyTo: mail.calendar.replyTo,
            icalEvent: {
              method: mail.calendar.method,
              filename: 'invite.ics',
              content: mail.calendar.content,
            },
          }),
          // Answering machines stay quiet (RFC 3834).
          headers: {
            'auto-submitted': 'auto-generated',
            ...(mail.unsubscribe && {
              'list-unsubscribe': `<${mail.unsubscribe}>`,
              'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        .catch((error: Error & { responseCode?: number; code?: string }) => {
          // The server has said no for good; a refused password may be mended, and the mail then goes.
          if (Number(error.responseCode) >= 500 && error.code !== 'EAUTH')
            throw new Undeliverable(`The mail server refused it: ${error.message}`)
          throw error
        })
    },
    /** Connects and signs in without sending. @throws what the server says, or that it says nothing */
    verify: async () => (await connected).verify(),
    close: () => void connected.then((transport) => transport.close()),
  }
}

/** A connection to the very address that was looked at. */
async function reach(host: string, port: number, allow: string | undefined) {
  const { address } = await lookup(host)
  if (!mayReach(address, port, readOutboundAllow(allow)))
    throw new Error(
      `${host}:${port} is inside the institution’s own network, which is closed to outgoing requests. ATRIUM_OUTBOUND_ALLOW can open it, for example with ${address.includes(':') ? `[${address}/128]` : `${address}/32`}:${port}.`,
    )
  return new Promise<ReturnType<typeof connect>>((settle, reject) => {
    const socket = connect({ host: address, port, timeout: 10_000 })
    socket.once('connect', () => settle(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error(`${host}:${port} does not answer.`)))
    socket.once('error', reject)
  })
}
