import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/dovecot'
/** Without it, or without root, the mailbox tests are skipped; scripts/test-servers.mjs installs it if possible. */
export const hasDovecot = existsSync(program) && process.getuid?.() === 0
if (!hasDovecot)
  console.warn('SKIPPED: the tests of mailboxes need dovecot (Debian: dovecot-imapd).')

/** The master user, who may open every mailbox. */
export const master = { user: 'portal', password: 'the master’s own password' }

export type Dovecot = {
  port: number
  tlsPort: number
  /** its self-signed certificate */
  ca: string
  /** Puts a mail into the inbox of a user. */
  deliver: (user: string, mail: string) => void
  stop: () => Promise<void>
}

/** Starts Dovecot on local ports, with mailboxes of these users in a temporary folder. */
export async function startDovecot(users: readonly string[]): Promise<Dovecot> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-dovecot-'))
  const file = (name: string) => path.join(folder, name)
  chmodSync(folder, 0o755)
  for (const name of ['run', 'state', 'mail']) mkdirSync(file(name), { mode: 0o755 })
  chmodSync(file('mail'), 0o777)
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-addext', 'basicConstraints=critical,CA:TRUE'],
      ...['-keyout', file('key.pem'), '-out', file('cert.pem')],
    ],
    { stdio: 'ignore' },
  )
  writeFileSync(file('users'), users.map((user) => `${user}:{PLAIN}own-${user}::::::\n`).join(''))
  writeFileSync(file('master'), `${master.user}:{PLAIN}${master.password}\n`)
  const [port, tlsPort] = [await freePort(), await freePort()]
  writeFileSync(
    file('dovecot.conf'),
    `base_dir = ${file('run')}
state_dir = ${file('state')}
log_path = ${file('log')}
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${file('cert.pem')}
ssl_key = <${file('key.pem')}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_master_user_separator = *
auth_failure_delay = 0
mail_location = maildir:${file('mail')}/%u
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = ${file('master')}
  master = yes
  result_success = continue
}
passdb {
  driver = passwd-file
  args = ${file('users')}
}
userdb {
  driver = passwd-file
  args = ${file('users')}
  override_fields = uid=nobody gid=nogroup home=${file('mail')}/%u
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
`,
  )
  const running: ChildProcess = spawn(program, ['-F', '-c', file('dovecot.conf')], {
    stdio: 'ignore',
  })
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 300 || running.exitCode !== null)
      throw new Error(
        `dovecot does not start: ${existsSync(file('log')) ? readFileSync(file('log'), 'utf8') : ''}`,
      )
    await wait(50)
  }
  return {
    port,
    tlsPort,
    ca: readFileSync(file('cert.pem'), 'utf8'),
    deliver(user, mail) {
      const inbox = path.join(file('mail'), user, 'new')
      mkdirSync(inbox, { recursive: true })
      const name = path.join(inbox, `${Date.now()}.${randomUUID()}`)
      writeFileSync(name, mail)
      execFileSync('chown', ['-R', 'nobody:nogroup', path.join(file('mail'), user)])
    },
    async stop() {
      if (running.exitCode === null) {
        const ended = new Promise((resolve) => running.once('exit', resolve))
        running.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
