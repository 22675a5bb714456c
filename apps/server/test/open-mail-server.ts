import { SMTPServer } from 'smtp-server'

/** A real mail server that stores received mails; `refuse` maps recipients to error statuses. */
export async function openMailServer({
  refuse = {} as Record<string, number>,
  startTls = true,
} = {}) {
  const mails: { to: string[]; text: string; user: string | undefined; tls: boolean }[] = []
  const server = new SMTPServer({
    authOptional: true,
    ...(!startTls && { disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo({ address }, _session, done) {
      const status = refuse[address]
      done(status ? Object.assign(new Error('not here'), { responseCode: status }) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
          user: session.user,
          tls: session.secure,
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  return { mails, port, close, refuse }
}
