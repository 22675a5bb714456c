import { Command, CommanderError } from 'commander'
import { isOutage } from '#platform/database/outage.ts'
import { StartError } from '#platform/environment.ts'
import { version } from '#platform/version.ts'
import { setCommand } from './installation.ts'

type AddCommands = (program: Command) => void
/** For commands that may end sessions or change members: other areas hook into that. */
async function withAreas<T>(commands: Promise<T>) {
  await import('../domains.ts')
  return commands
}
/** Loaders of the commands by name, in the order of the help text. */
const commandGroups: [names: string[], load: () => Promise<AddCommands>][] = [
  [['migrate'], async () => (await import('./migrate-command.ts')).addMigrateCommand],
  [['import'], async () => (await withAreas(import('./import-commands.ts'))).addImportCommands],
  [['export'], async () => (await import('./export-commands.ts')).addExportCommands],
  [
    ['directory'],
    async () => (await withAreas(import('./directory-commands.ts'))).addDirectoryCommands,
  ],
  [['user'], async () => (await withAreas(import('./user-commands.ts'))).addUserCommands],
  [['keys'], async () => (await import('./key-commands.ts')).addKeyCommands],
  [
    ['provider'],
    async () => (await withAreas(import('./provider-commands.ts'))).addProviderCommands,
  ],
  [['config'], async () => (await import('./config-commands.ts')).addConfigCommands],
  [['audit'], async () => (await import('./audit-commands.ts')).addAuditCommands],
  [
    ['relying-party'],
    async () => (await import('./relying-party-commands.ts')).addRelyingPartyCommands,
  ],
  [['message-app'], async () => (await import('./message-app-commands.ts')).addMessageAppCommands],
  [
    ['task-source', 'tasks'],
    async () => (await import('./task-source-commands.ts')).addTaskSourceCommands,
  ],
  [['personal'], async () => (await import('./member/personal-commands.ts')).addPersonalCommands],
  [
    ['assistant'],
    async () => (await import('./discovery/assistant-commands.ts')).addAssistantCommands,
  ],
  [
    ['translation'],
    async () => (await import('./discovery/translation-commands.ts')).addTranslationCommands,
  ],
  [
    ['study'],
    async () => (await withAreas(import('./learning/study-commands.ts'))).addStudyCommands,
  ],
  [['lti'], async () => (await withAreas(import('./learning/lti-commands.ts'))).addLtiCommands],
  [['verify'], async () => (await import('./verify-commands.ts')).addVerifyCommands],
  [['health'], async () => (await import('./health-commands.ts')).addHealthCommands],
  [['doctor'], async () => (await import('./doctor/doctor.ts')).addDoctorCommand],
  [['backup', 'restore'], async () => (await import('./backup-commands.ts')).addBackupCommands],
  [['demo'], async () => (await import('./demo-commands.ts')).addDemoCommands],
]
// Subcommands do not inherit these settings.
function settle(command: Command, name: string) {
  command.exitOverride().showHelpAfterError(`(npx ${name} --help shows more)`)
  for (const child of command.commands) settle(child, `${name} ${child.name()}`)
}
/**
 * Runs one command of the operator's command line and sets `process.exitCode`: 0 done, 1 failed, 2 usage error, 3 some
 * rows skipped. May be called again.
 */
export async function runCommand(args: readonly string[]) {
  process.exitCode = 0
  const program = new Command('atrium')
    .description('Run an Atrium portal from the command line.')
    .version(version)
    .addHelpText(
      'after',
      `
Settings are read from the environment, like the server's. Without DATABASE_URL, the embedded database in ATRIUM_DATA_DIR
(default: .atrium) is used, also while a server is running on it.

Examples:
  npx atrium doctor
  npx atrium import members members.csv --dry-run
  npx atrium config set schoolName 江岚大学
  npx atrium backup atrium.backup`,
    )

  // Load only the requested command: loading all takes a second.
  const named = commandGroups.filter(([names]) => names.includes(args[0] ?? ''))
  for (const [, load] of named.length > 0 ? named : commandGroups) (await load())(program)

  // Arguments are audited. Secrets are never arguments: they are prompted for or read from standard input.
  program.hook('preAction', (_, command) => {
    const names = [command.name()]
    for (let above = command.parent; above?.parent; above = above.parent)
      names.unshift(above.name())
    setCommand(names.join(' '), { arguments: command.args, options: command.opts() })
  })

  settle(program, 'atrium')

  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      process.exitCode = 1
      if (error instanceof StartError) console.error(error.message)
      else if (isOutage(error))
        console.error(
          `The connection to the database was lost (${(error as Error).message}). Unfinished work was not written.`,
        )
      else {
        // Unexpected: one sentence for the operator; the stack only with a debug log level.
        console.error(
          `Unexpected error: ${(error as Error).message}. Unfinished work was not written. Set ATRIUM_LOG_LEVEL=debug to see the stack.`,
        )
        if (/debug|trace/.test(process.env.ATRIUM_LOG_LEVEL ?? '')) console.error(error)
      }
    }
  }
}
