import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/pgbouncer'
/** Without it the connection pooler test is skipped; scripts/test-servers.mjs installs it if possible. */
export const hasPgbouncer = existsSync(program)
if (!hasPgbouncer)
  console.warn('SKIPPED: the test of the pooler needs pgbouncer (Debian: pgbouncer).')

/** Starts PgBouncer in front of the database of this URL; `url` connects through it. */
export async function startPgbouncer(target: string, poolMode: 'session' | 'transaction') {
  const { hostname, port, username, pathname, searchParams } = new URL(target)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-pgbouncer-'))
  chmodSync(folder, 0o755)
  const listens = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${searchParams.get('host') ?? hostname} port=${port || 5432} user=${username || 'postgres'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
ignore_startup_parameters = extra_float_digits,options
`,
  )
  // PgBouncer refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn(program, ['-q', file], { ...owner, stdio: 'ignore' })
  const url = `postgres://${username || 'postgres'}@127.0.0.1:${listens}${pathname}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('pgbouncer does not start')
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const answers = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (answers) break
    await setTimeout(50)
  }
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
