import { Command, CommanderError } from 'commander'
import { isOutage } from '#platform/database/outage.ts'
import { StartError } from '#platform/environment.ts'
import { version } from '#platform/version.ts'
import { setCommand } from './cli/installation.ts'

/** The operator's command line: `npx atrium`. Exit codes: 0 done, 1 failed, 2 usage error, 3 some rows skipped. */
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

type Part = (program: Command) => void
/** For commands that may end sessions or change members: other areas hook into that. */
async function withAreas<T>(commands: Promise<T>) {
  await import('./domains.ts')
  return commands
}
/** Loaders of the commands by name, in the order of the help text. */
const parts: [names: string[], load: () => Promise<Part>][] = [
  [['migrate'], async () => (await import('./cli/migrate-command.ts')).addMigrateCommand],
  [['import'], async () => (await withAreas(import('./cli/import-commands.ts'))).addImportCommands],
  [['export'], async () => (await import('./cli/export-commands.ts')).addExportCommands],
  [
    ['directory'],
    async () => (await withAreas(import('./cli/directory-commands.ts'))).addDirectoryCommands,
  ],
  [['user'], async () => (await withAreas(import('./cli/user-commands.ts'))).addUserCommands],
  [['keys'], async () => (await import('./cli/key-commands.ts')).addKeyCommands],
  [
    ['provider'],
    async () => (await withAreas(import('./cli/provider-commands.ts'))).addProviderCommands,
  ],
  [['config'], async () => (await import('./cli/config-commands.ts')).addConfigCommands],
  [['audit'], async () => (await import('./cli/audit-commands.ts')).addAuditCommands],
  [
    ['relying-party'],
    async () => (await import('./cli/relying-party-commands.ts')).addRelyingPartyCommands,
  ],
  [
    ['message-app'],
    async () => (await import('./cli/message-app-commands.ts')).addMessageAppCommands,
  ],
  [
    ['task-source', 'tasks'],
    async () => (await import('./cli/task-source-commands.ts')).addTaskSourceCommands,
  ],
  [
    ['personal'],
    async () => (await import('./cli/member/personal-commands.ts')).addPersonalCommands,
  ],
  [
    ['assistant'],
    async () => (await import('./cli/discovery/assistant-commands.ts')).addAssistantCommands,
  ],
  [
    ['translation'],
    async () => (await import('./cli/discovery/translation-commands.ts')).addTranslationCommands,
  ],
  [
    ['study'],
    async () => (await withAreas(import('./cli/learning/study-commands.ts'))).addStudyCommands,
  ],
  [['lti'], async () => (await withAreas(import('./cli/learning/lti-commands.ts'))).addLtiCommands],
  [['verify'], async () => (await import('./cli/verify-commands.ts')).addVerifyCommands],
  [['health'], async () => (await import('./cli/health-commands.ts')).addHealthCommands],
  [['doctor'], async () => (await import('./cli/doctor/doctor.ts')).addDoctorCommand],
  [['backup', 'restore'], async () => (await import('./cli/backup-commands.ts')).addBackupCommands],
  [['demo'], async () => (await import('./cli/demo-commands.ts')).addDemoCommands],
]
// Load only the requested command: loading all takes a second.
const named = parts.filter(([names]) => names.includes(process.argv[2] ?? ''))
for (const [, load] of named.length > 0 ? named : parts) (await load())(program)

// Arguments are audited. Secrets are never arguments: they are prompted for or read from standard input.
program.hook('preAction', (_, command) => {
  const names = [command.name()]
  for (let above = command.parent; above?.parent; above = above.parent) names.unshift(above.name())
  setCommand(names.join(' '), { arguments: command.args, options: command.opts() })
})

// Subcommands do not inherit these settings.
function settle(command: Command, name: string) {
  command.exitOverride().showHelpAfterError(`(npx ${name} --help shows more)`)
  for (const child of command.commands) settle(child, `${name} ${child.name()}`)
}
settle(program, 'atrium')

// A closed pipe (| head) is not an error.
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
