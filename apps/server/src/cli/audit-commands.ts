import type { Command } from 'commander'
import { verifyAudit } from '#platform/audit.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { withInstallation } from './installation.ts'

const reasons = {
  changed: 'was changed after it was written',
  missing: 'is missing',
  checkpoint: 'does not match its signed checkpoint: the log was rewritten up to this entry',
}

export function addAuditCommands(program: Command) {
  program
    .command('audit')
    .description('the log of what operators did')
    .command('verify')
    .description('check that no entry of the audit log was changed or removed')
    .addHelpText(
      'after',
      `
The last line contains the newest entry and its hash. Store it elsewhere to prove later that the log was not cut off.

Example:
  npx atrium audit verify

Exit code: 1 when the log is not intact.`,
    )
    .action(() =>
      withInstallation('current', async ({ env, db }) => {
        const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
        const { broken, entries, head, checkpoints } = await verifyAudit(db, secret)
        if (broken) {
          console.log(`The audit log is NOT intact: entry ${broken.id} ${reasons[broken.reason]}.`)
          process.exitCode = 1
          return
        }
        console.log(`The audit log is intact: ${entries} entries, ${checkpoints} checkpoints.`)
        if (head) console.log(`Entry ${head.id}: ${head.hash}`)
      }),
    )
}
