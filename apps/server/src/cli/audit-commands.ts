import type { Command } from 'commander'
import { verifyAudit } from '#platform/audit.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { withInstallation } from './installation.ts'

const reasons = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  checkpoint: 'is not what was signed when it was written: the log was written anew up to there',
}

export function addAuditCommands(program: Command) {
  program
    .command('audit')
    .description('what operators did')
    .command('verify')
    .description('check that nothing in the audit log was changed, taken out or cut off')
    .addHelpText(
      'after',
      `
The last line names the newest entry and its hash. Kept elsewhere, it proves later that nothing was cut off.

Example:
  npx atrium audit verify

Exit code: 1 when the log is not whole.`,
    )
    .action(() =>
      withInstallation('current', async ({ env, db }) => {
        const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
        const { broken, entries, head, checkpoints } = await verifyAudit(db, secret)
        if (broken) {
          console.log(`The audit log is NOT whole: entry ${broken.id} ${reasons[broken.reason]}.`)
          process.exitCode = 1
          return
        }
        console.log(`The audit log is whole: ${entries} entries, ${checkpoints} checkpoints.`)
        if (head) console.log(`Entry ${head.id}: ${head.hash}`)
      }),
    )
}
