import type { Command } from 'commander'
import { openSecret, readSecret } from '#platform/secret.ts'
import { rotateSigningKey } from '#platform/signing-keys.ts'
import { withInstallation } from './installation.ts'

export function addKeyCommands(program: Command) {
  program
    .command('keys')
    .description('the keys that id tokens are signed with')
    .command('rotate')
    .description('sign with a new key from now on; nobody is signed out')
    .option(
      '--drop',
      'the old keys are worth nothing at once: for a key that somebody else may have',
    )
    .addHelpText(
      'after',
      `
The server makes a new key every 90 days by itself. Tokens of the old one are good until they run out, within two hours.
With --drop they are refused at once; portals in use get fresh ones by their refresh cookie and go on, everything else
has to sign in again. Running nodes follow without a restart.

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
        : `Signing with the new key ${kid}; tokens of older keys are good until they run out.`,
    )
  })
