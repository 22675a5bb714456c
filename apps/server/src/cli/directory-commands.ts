import { DirectorySettings } from '@atrium/contract/identity/directory'
import type { Command } from 'commander'
import Value from 'typebox/value'
import { openDirectory } from '#domains/identity/directory/check-password.ts'
import { presets } from '#domains/identity/directory/presets.ts'
import {
  deleteDirectory,
  findDirectory,
  listDirectories,
  saveDirectory,
} from '#domains/identity/directory/queries.ts'
import {
  beginRun,
  confirmStoppedRun,
  findRunDirectory,
  listRunRows,
  performRun,
} from '#domains/identity/directory/runs.ts'
import { settingsIssues } from '#domains/identity/directory/settings.ts'
import { testDirectory } from '#domains/identity/directory/test-connection.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { fieldTexts } from '#platform/http/errors.ts'
import { readTextFile } from '#platform/ingest/text-file.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { type Installation, withInstallation } from './installation.ts'
import { formatCount } from './progress.ts'
import { promptHidden, readStdin } from './prompt.ts'

export function addDirectoryCommands(program: Command) {
  const group = program
    .command('directory')
    .description('LDAP and Active Directory: import people and check their passwords')
  group
    .command('preset <openldap|active-directory>')
    .description('print settings to start from')
    .addHelpText('after', '\nExample:\n  npx atrium directory preset openldap > main.json')
    .action(printPreset)
  group
    .command('set <code> <settings.json>')
    .description('create or change a directory')
    .option('--stdin', 'read the password of bindDn from standard input')
    .option('--keep-password', 'keep the stored password')
    .addHelpText(
      'after',
      `
Prompts for the password of bindDn. It is stored encrypted with the secret of the installation.

Examples:
  npx atrium directory set main main.json
  npx atrium directory set main main.json --stdin < password.txt`,
    )
    .action(set)
  group
    .command('list')
    .description('list the directories')
    .addHelpText('after', '\nExample:\n  npx atrium directory list')
    .action(list)
  group
    .command('test <code> [username]')
    .description('test every step of a query, and find a person')
    .addHelpText(
      'after',
      '\nExample:\n  npx atrium directory test main 20260001\n\nExit code: 1 when a step failed.',
    )
    .action(test)
  group
    .command('import <code>')
    .description('import organisations, groups and people')
    .option('--dry-run', 'report what would change, write nothing')
    .option(
      '--confirm <run>',
      'continue a stopped import: let it disable as many members as it reported',
    )
    .addHelpText(
      'after',
      `
Examples:
  npx atrium directory import main --dry-run
  npx atrium directory import main
  npx atrium directory import main --confirm 17

Exit code: 1 when entries were refused or the import stopped.`,
    )
    .action(importNow)
  group
    .command('remove <code>')
    .description('remove a directory; its members stay, without a password')
    .addHelpText('after', '\nExample:\n  npx atrium directory remove main')
    .action(remove)
}

function printPreset(name: string) {
  const preset =
    name === 'openldap'
      ? presets.openldap
      : name === 'active-directory'
        ? presets.activeDirectory
        : undefined
  if (!preset)
    throw new StartError(`There is no preset ${name}. There are: openldap, active-directory.`)
  console.log(JSON.stringify(preset, null, 2))
}

const secretOf = ({ env }: Installation) =>
  openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))

async function getDirectory(db: Db, code: string) {
  const row = await findDirectory(db, { code })
  if (row) return row
  const known = (await listDirectories(db)).map((one) => one.code)
  throw new StartError(
    `There is no directory ${code}. ${known.length > 0 ? `There are: ${known.join(', ')}.` : 'Create one with npx atrium directory set.'}`,
  )
}

function set(code: string, file: string, options: { stdin?: boolean; keepPassword?: boolean }) {
  if (!/^[a-z][a-z0-9-]{1,39}$/.test(code))
    throw new StartError(
      'The code must be 2 to 40 lower-case letters, digits and dashes, starting with a letter.',
    )
  return withInstallation('current', async (installation) => {
    const { db } = installation
    const settings = readSettings(file, await readTextFile(file, 1_000_000))
    const issues = await settingsIssues(db, settings)
    if (issues)
      throw new StartError(
        `${file}: ${Object.entries(fieldTexts(issues, 'en'))
          .map(([field, words]) => `${field} ${words}`)
          .join('; ')}.`,
      )
    const before = await findDirectory(db, { code })
    if (options.keepPassword && !before)
      throw new StartError(`There is no directory ${code}, so there is no password to keep.`)
    const password = options.keepPassword
      ? undefined
      : options.stdin
        ? await readStdin()
        : await promptHidden(`Password of ${settings.bindDn}: `)
    const sealed = password === undefined ? undefined : secretOf(installation).encrypt(password)
    await db.transaction().execute((db) => saveDirectory(db, code, settings, sealed))
    console.log(
      `The directory ${code} was ${before ? 'changed' : 'created'}. Test it: npx atrium directory test ${code}`,
    )
  })
}

function readSettings(file: string, text: string): DirectorySettings {
  let settings: unknown
  try {
    settings = JSON.parse(text)
  } catch (error) {
    throw new StartError(`${file} is not valid JSON: ${(error as Error).message}.`)
  }
  const [issue] = Value.Errors(DirectorySettings, settings)
  if (issue)
    throw new StartError(
      `${file}: ${issue.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${issue.message}. Start from npx atrium directory preset openldap.`,
    )
  return settings as DirectorySettings
}

const list = () =>
  withInstallation('current', async ({ db }) => {
    const rows = await listDirectories(db)
    if (rows.length === 0) console.log('There are no directories.')
    for (const { code, settings } of rows)
      console.log(
        `${code.padEnd(20)} ${settings.servers.join(' ')} ${settings.passwords ? 'passwords' : 'import only'}${settings.schedule ? `, at ${settings.schedule} (UTC)` : ''}`,
      )
  })

const test = (code: string, username: string | undefined) =>
  withInstallation('current', async (installation) => {
    const { db, env } = installation
    const row = await getDirectory(db, code)
    const directory = openDirectory({ secret: secretOf(installation) }, row)
    const { ok, steps } = await testDirectory(directory, env.ATRIUM_OUTBOUND_ALLOW, username)
    for (const { step, server, ok, detail } of steps)
      console.log(`${ok ? 'ok     ' : 'FAILED '} ${server} ${step}: ${detail}`)
    if (!ok) process.exitCode = 1
  })

function importNow(code: string, options: { dryRun?: boolean; confirm?: string }) {
  if (options.confirm && !/^\d{1,18}$/.test(options.confirm))
    throw new StartError('--confirm takes the number of a stopped import.')
  return withInstallation('current', async (installation) => {
    const { db, url, env } = installation
    const row = await getDirectory(db, code)
    const mayDisable = options.confirm ? await readConfirmed(db, row.id, options.confirm) : null
    const id = await beginRun(db, row.id, {
      dry: options.dryRun ?? false,
      startedBy: 'command line',
      mayDisable,
    })
    if (!id)
      throw new StartError('An import of this directory is already running. Wait until it ends.')
    const run = await performRun({ db, url, env, secret: secretOf(installation) }, id)
    const refused = await listRunRows(db, id, { what: 'refused', after: undefined, limit: 200 })
    for (const { name, detail } of refused) console.error(`${name}: ${detail}`)
    for (const kind of ['organizations', 'groups', 'members'] as const) {
      const { added, changed, unchanged, refused } = run[kind]
      console.log(
        `${kind}: ${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(refused)} refused`,
      )
    }
    console.log(`disabled: ${formatCount(run.disabled)} of ${formatCount(run.known)}`)
    for (const note of run.notes) console.log(`  ${note}`)
    if (run.status === 'failed') throw new StartError(run.error)
    if (run.status === 'stopped')
      throw new StartError(
        `${run.error} If that is correct: npx atrium directory import ${code} --confirm ${id}`,
      )
    if (run.dry) console.log('Nothing was written: this was a dry run.')
    if (refused.length > 0) process.exitCode = 1
  })
}

async function readConfirmed(db: Db, directoryId: string, runId: string): Promise<number> {
  const found = await findRunDirectory(db, runId)
  const stopped =
    found?.directoryId === directoryId ? await confirmStoppedRun(db, runId) : undefined
  if (!stopped) throw new StartError(`Import ${runId} is not waiting for a confirmation.`)
  return stopped.mayDisable
}

const remove = (code: string) =>
  withInstallation('current', async ({ db }) => {
    const row = await getDirectory(db, code)
    await db.transaction().execute((db) => deleteDirectory(db, row.id))
    console.log(`The directory ${code} was removed.`)
  })
