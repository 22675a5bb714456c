import { Command, CommanderError } from 'commander'
import { isOutage, openDatabase, openPool } from '#platform/db.ts'
import { StartError } from '#platform/environment.ts'
import { migrate } from '#platform/migrate.ts'
import { version } from '#platform/version.ts'
import { addAuditCommands } from './cli/audit-commands.ts'
import { addBackupCommands } from './cli/backup-commands.ts'
import { addConfigCommands } from './cli/config-commands.ts'
import { addDirectoryCommands } from './cli/directory-commands.ts'
import { runDoctor } from './cli/doctor.ts'
import { addExportCommands } from './cli/export-commands.ts'
import { addHealthCommands } from './cli/health-commands.ts'
import { addImportCommands } from './cli/import-commands.ts'
import { recordCommand, setCommand, withInstallation } from './cli/installation.ts'
import { addKeyCommands } from './cli/key-commands.ts'
import { addProviderCommands } from './cli/provider-commands.ts'
import { addRelyingPartyCommands } from './cli/relying-party-commands.ts'
import { addUserCommands } from './cli/user-commands.ts'
import { addVerifyCommands } from './cli/verify-commands.ts'

/** The operator's command line: `npx atrium`. Exit codes: 0 done, 1 not (wholly) done, 2 wrong usage. */
const program = new Command('atrium')
  .description('Run an Atrium portal from the command line.')
  .version(version)
  .addHelpText(
    'after',
    `
Everything is read from the environment, as by the server: without DATABASE_URL the embedded database in ATRIUM_DATA_DIR
(.atrium here) is used, together with a server that runs on it.

Examples:
  npx atrium doctor
  npx atrium import members members.csv --dry-run
  npx atrium config set schoolName 江岚大学
  npx atrium backup atrium.backup`,
  )

program
  .command('migrate')
  .description(
    'bring the database up to date with this Atrium; the server also does so when it starts',
  )
  .addHelpText('after', '\nExample:\n  npx atrium migrate')
  .action(() =>
    withInstallation('any', async ({ url }) => {
      const db = openDatabase(openPool(url, 1))
      const applied = await migrate(db).finally(() => db.destroy())
      if (applied.length > 0) await recordCommand(url)
      console.log(
        applied.length === 0 ? 'The database is up to date.' : `Done: ${applied.join(', ')}.`,
      )
    }),
  )
addImportCommands(program)
addExportCommands(program)
addDirectoryCommands(program)
addUserCommands(program)
addKeyCommands(program)
addProviderCommands(program)
addConfigCommands(program)
addAuditCommands(program)
addRelyingPartyCommands(program)
addVerifyCommands(program)
addHealthCommands(program)
program
  .command('doctor')
  .description('check the installation and say what to do')
  .addHelpText('after', '\nExample:\n  npx atrium doctor\n\nExit code: 1 when a check failed.')
  .action(runDoctor)
addBackupCommands(program)
program
  .command('demo')
  .description('the demo institution')
  .command('reset')
  .description('bring the demo institution back to how it began; refused in any other database')
  .addHelpText('after', '\nExample:\n  npx atrium demo reset')
  .action(() =>
    withInstallation('current', async ({ env, db }) => {
      const { resetDemo } = await import('./demo.ts')
      await resetDemo(db, env)
      console.log('The demo institution is as it was at the beginning.')
    }),
  )

// Secrets are never arguments: they are asked for, or read from standard input.
program.hook('preAction', (_, command) => {
  const names = [command.name()]
  for (let above = command.parent; above?.parent; above = above.parent) names.unshift(above.name())
  setCommand(names.join(' '), { arguments: command.args, options: command.opts() })
})

// Commands made below others do not take these over by themselves.
function settle(command: Command, name: string) {
  command.exitOverride().showHelpAfterError(`(npx ${name} --help shows more)`)
  for (const child of command.commands) settle(child, `${name} ${child.name()}`)
}
settle(program, 'atrium')

// A reader that had enough (| head) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    process.exitCode = 1
    if (error instanceof StartError) console.error(error.message)
    else if (isOutage(error))
      console.error(
        `The connection to the database was lost (${(error as Error).message}). What was not finished was not written.`,
      )
    else {
      // Not foreseen: one sentence for the operator, the rest for whoever looks into it.
      console.error(
        `Something went wrong: ${(error as Error).message}. What was not finished was not written. With ATRIUM_LOG_LEVEL=debug it says where.`,
      )
      if (/debug|trace/.test(process.env.ATRIUM_LOG_LEVEL ?? '')) console.error(error)
    }
  }
}
