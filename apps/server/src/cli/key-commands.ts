import type { Command } from 'commander'
import { openSecret, readSecret } from '#platform/secret.ts'
import { rotateSigningKey } from '#platform/signing-keys.ts'
import { withInstallation } from './installation.ts'

export function addKeyCommands(program: Command) {
  program
    .command('keys')
    .description('the keys that sign ID tokens')
    .command('rotate')
    .description('sign with a new key from now on; nobody is signed out')
    .option('--drop', 'revoke the old keys immediately: for a key that may be compromised')
    .addHelpText(
      'after',
      `
The server creates a new key every 90 days. Tokens signed with the old one stay valid until they expire, within two hours.
With --drop they are refused immediately; open portals get new ones with their refresh cookie, everything else has to sign
in again. Running nodes need no restart.

Examples:
  npx atrium keys rotate
  npx atrium keys rotate --drop`,
    )
    .action(rotate)
}

const rotate = ({ drop = false }: { drop?: boolean }) =>
  withInstallation('current', async ({ env, db }) => {
    const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
    const kid = await rotateSigningKey(db, secret, { drop })
    console.log(
      drop
        ? `Signing with the new key ${kid}; tokens of older keys are refused.`
        : `Signing with the new key ${kid}; tokens of older keys stay valid until they expire.`,
    )
  })
