// Gets OpenLDAP's server for the tests of directories where there is none. Plain JavaScript on any Node from 20.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

const program = '/usr/sbin/slapd'
/** Debian's programs start their services when they are installed, unless this says no. */
const policy = '/usr/sbin/policy-rc.d'

/** The tests start a process of their own: no service is begun, no configuration made. Without it they are skipped, aloud. */
export async function findSlapd() {
  if (existsSync(program)) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing slapd with apt-get (about 5 MB) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { env, output: 'keep' }
    const ours = !existsSync(policy)
    if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
    try {
      const answer = 'echo slapd slapd/no_configuration boolean true | debconf-set-selections'
      await run('sh', ['-c', answer], quiet)
      const packages = ['slapd', 'openssl']
      const install = ['-qy', '--no-install-recommends', 'install', ...packages]
      if ((await run('apt-get', install, quiet)).code !== 0) {
        await run('apt-get', ['-q', 'update'], quiet)
        await run('apt-get', install, quiet)
      }
    } finally {
      if (ours) rmSync(policy, { force: true })
    }
  }
  if (!existsSync(program))
    console.error(
      'The tests of directories need slapd and it could not be installed: they are SKIPPED. Install it (Debian: apt-get install slapd), then try again.',
    )
}
