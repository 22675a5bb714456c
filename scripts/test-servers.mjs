// Installs missing servers that tests need. Plain JavaScript on any Node from 20.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

/** Tests start each server as their own process with their own configuration. `packages` are Debian's. */
const servers = [
  { program: '/usr/sbin/slapd', packages: ['slapd', 'openssl'], tests: 'directories' },
  { program: '/usr/sbin/nginx', packages: ['nginx-light', 'openssl'], tests: 'the reverse proxy' },
  { program: '/usr/bin/redis-server', packages: ['redis-server'], tests: 'shared request limits' },
  { program: '/usr/sbin/dovecot', packages: ['dovecot-imapd', 'openssl'], tests: 'mailboxes' },
  { program: '/usr/sbin/pgbouncer', packages: ['pgbouncer'], tests: 'the pooler' },
]
/** Debian packages start their service on installation, unless this file forbids it. */
const policyFile = '/usr/sbin/policy-rc.d'

/** Installs the servers; reports those that cannot be installed, whose tests are skipped. */
export async function findTestServers() {
  const missing = () => servers.filter(({ program }) => !existsSync(program))
  const packages = [...new Set(missing().flatMap((server) => server.packages))]
  if (packages.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${packages.join(', ')} with apt-get …`)
    await installPackages(packages)
  }
  for (const { program, tests } of missing())
    console.error(
      `The tests of ${tests} need ${program}, and it could not be installed: they are SKIPPED. Install it, then try again.`,
    )
}

async function installPackages(packages) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, output: 'capture' }
  const createdPolicy = !existsSync(policyFile)
  if (createdPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const preseed = 'echo slapd slapd/no_configuration boolean true | debconf-set-selections'
    await run('sh', ['-c', preseed], options)
    const install = ['-qy', '--no-install-recommends', 'install', ...packages]
    if ((await run('apt-get', install, options)).code !== 0) {
      await run('apt-get', ['-q', 'update'], options)
      await run('apt-get', install, options)
    }
  } finally {
    if (createdPolicy) rmSync(policyFile, { force: true })
  }
}
