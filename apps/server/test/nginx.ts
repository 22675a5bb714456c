import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

const program = '/usr/sbin/nginx'
/** Without it the reverse proxy tests are skipped; scripts/test-servers.mjs installs it if possible. */
export const hasNginx = existsSync(program)
if (!hasNginx)
  console.warn('SKIPPED: the tests of the reverse proxy need nginx (Debian: nginx-light).')

/** Starts nginx with these `server` and `upstream` blocks, which refer to `certificate.pem` and `key.pem`. */
export async function startNginx(blocks: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-nginx-'))
  const file = (name: string) => path.join(folder, name)
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-keyout', file('key.pem'), '-out', file('certificate.pem')],
    ],
    { stdio: 'ignore' },
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    file('nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${file('pid')};
error_log ${file('error.log')};
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${file(name)};`).join('\n  ')}
  ${blocks}
}`,
  )
  const options = ['-p', folder, '-c', file('nginx.conf')]
  // Fails with nginx's own message if the configuration is invalid.
  execFileSync(program, ['-t', '-q', ...options], { stdio: 'pipe' })
  // The check writes a pid file too.
  rmSync(file('pid'), { force: true })
  const child: ChildProcess = spawn(program, [...options, '-g', 'daemon off;'], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // Written once nginx listens.
  while (!existsSync(file('pid'))) {
    if (child.exitCode !== null) throw new Error('nginx does not start')
    await setTimeout(20)
  }
  return {
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
