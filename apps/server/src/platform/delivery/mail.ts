import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import type { Environment } from '#platform/environment.ts'
import { mayReach, readOutboundAllow } from '#platform/outbound/outbound.ts'
import type { Mail } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'

/**
 * Client for the institution's mail server: smtps:// uses TLS from the start; smtp:// requires STARTTLS unless the URL
 * ends in `?tls=off`.
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
    // Our mails never refer to a file or URL for nodemailer to read.
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
  // Loaded only if a mail server is configured.
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
          // As an alternative part, as RFC 6047 requires, and as an attachment for mail clients that do not support it.
          ...(mail.calendar && {
            replyTo: mail.calendar.replyTo,
            icalEvent: {
              method: mail.calendar.method,
              filename: 'invite.ics',
              content: mail.calendar.content,
            },
          }),
          // Suppresses automatic replies (RFC 3834).
          headers: {
            'auto-submitted': 'auto-generated',
            ...(mail.unsubscribe && {
              'list-unsubscribe': `<${mail.unsubscribe}>`,
              'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        .catch((error: Error & { responseCode?: number; code?: string }) => {
          // Permanently rejected. A refused login (EAUTH) can be repaired by the operator, so it is retried.
          if (Number(error.responseCode) >= 500 && error.code !== 'EAUTH')
            throw new Undeliverable(`The mail server refused the message: ${error.message}`)
          throw error
        })
    },
    /** Connects and signs in without sending. @throws the server's error, or a timeout */
    verify: async () => (await connected).verify(),
    close: () => void connected.then((transport) => transport.close()),
  }
}

/** Connects to the address that was checked, so that a second DNS lookup cannot change it. */
async function reach(host: string, port: number, allow: string | undefined) {
  const { address } = await lookup(host)
  if (!mayReach(address, port, readOutboundAllow(allow)))
    throw new Error(
      `${host}:${port} is inside the institution’s own network, which is closed to outgoing requests. Open it with ATRIUM_OUTBOUND_ALLOW, for example ${address.includes(':') ? `[${address}/128]` : `${address}/32`}:${port}.`,
    )
  return new Promise<ReturnType<typeof connect>>((settle, reject) => {
    const socket = connect({ host: address, port, timeout: 10_000 })
    socket.once('connect', () => settle(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error(`${host}:${port} is not responding.`)))
    socket.once('error', reject)
  })
}
