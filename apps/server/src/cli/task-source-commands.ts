import { randomBytes } from 'node:crypto'
import type { TaskSource } from '@atrium/contract/work/task-sources.operator'
import type { Command } from 'commander'
import { compareSource } from '#domains/work/task-integration/compare.ts'
import {
  createSource,
  findSource,
  getSource,
  listSources,
  removeSource,
  updateSource,
} from '#domains/work/task-integration/sources.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { openSecret, readSecret, type Secret } from '#platform/secret.ts'
import { withInstallation } from './installation.ts'
import { addTaskConnectorCommands } from './task-connector-commands.ts'
import { withTerminalErrors } from './terminal-errors.ts'

type Options = {
  name?: string
  nameEn?: string
  system?: string
  callback?: string
  list?: string
}

export function addTaskSourceCommands(program: Command) {
  const group = program
    .command('task-source')
    .alias('tasks')
    .description(
      'systems that push tasks or are polled for them, and are notified of what members do',
    )
  group
    .command('list')
    .description('list all with their state')
    .addHelpText('after', '\nExample:\n  npx atrium task-source list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const source of await listSources(db)) console.log(lineOf(source))
      }),
    )
  group
    .command('set <code>')
    .description('register one, or change it')
    .option('--name <text>', 'its name, as members see it')
    .option('--name-en <text>', 'its English name')
    .option('--system <code>', 'its system in the registry; "" if it is polled')
    .option('--callback <address>', 'notified of what members do; "" if it fetches that itself')
    .option('--list <address>', 'lists its open tasks, compared every hour; "" for none')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium task-source set leave --name 请假系统 --system leave-system
  npx atrium task-source set leave --callback https://leave.example.edu/told --list https://leave.example.edu/open`,
    )
    .action((code: string, options: Options) =>
      withInstallation('current', ({ db, env }) =>
        withTerminalErrors(async () => {
          const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          const made = await db.transaction().execute((db) => set(db, secret, code, options))
          console.log(`${code} was ${made ? 'registered' : 'changed'}.`)
        }),
      ),
    )
  group
    .command('secret <code>')
    .description('create a new secret that signs calls to it, and show it once')
    .addHelpText('after', '\nExample:\n  npx atrium task-source secret leave')
    .action((code: string) =>
      withInstallation('current', ({ db, env }) =>
        withTerminalErrors(async () => {
          const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          const made = `whsec_${randomBytes(32).toString('base64')}`
          await db.transaction().execute(async (db) => {
            const known = fieldsOf(await getSource(db, code))
            await updateSource(db, secret, code, { ...known, secret: made })
          })
          console.log(made)
        }),
      ),
    )
  group
    .command('compare <code>')
    .description('compare its open tasks with its list now, and correct them')
    .addHelpText('after', '\nExample:\n  npx atrium task-source compare leave')
    .action((code: string) =>
      withInstallation('current', ({ db, env }) =>
        withTerminalErrors(async () => {
          const source = await findSource(db, code)
          if (!source.listUrl && source.connector === null)
            throw new StartError(`${code} has no address that lists its tasks.`)
          const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          if (!(await compareSource({ db, env, secret, log: { warn() {} } }, source)))
            throw new StartError(`A comparison of ${code} is already running.`)
          console.log(lineOf(await getSource(db, code)))
        }),
      ),
    )
  addTaskConnectorCommands(group)
  group
    .command('remove <code>')
    .description('remove one that has never sent tasks')
    .addHelpText('after', '\nExample:\n  npx atrium task-source remove leave')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeSource(db, code))
          console.log(`${code} was removed.`)
        }),
      ),
    )
}

function lineOf(source: TaskSource) {
  const { code, name, system, open, waiting, waitingSince, compared, compareError } = source
  const how = [
    ...(system ? [`system ${system}`] : []),
    ...(source.connected ? [`polled every ${source.everyMinutes} min`] : []),
  ]
  return [
    `${code}  ${name}  ${how.join(', ') || 'not connected yet'}, ${open} open tasks`,
    ...(waiting > 0 ? [`    ${waiting} actions wait to be sent since ${waitingSince}`] : []),
    ...(compared
      ? [
          `    compared ${source.comparedAt}: listed ${compared.listed}, created ${compared.created}, changed ${compared.changed}, ended ${compared.ended}${compared.unread > 0 ? `, unread ${compared.unread}` : ''}`,
        ]
      : []),
    ...(compareError
      ? [
          source.failures > 0
            ? `    comparison failed (${source.failures} in a row): ${compareError}`
            : `    ${compareError}`,
        ]
      : []),
  ].join('\n')
}

const fieldsOf = ({ name, nameEn, system, callbackUrl, listUrl }: TaskSource) => ({
  name,
  nameEn,
  system,
  callbackUrl,
  listUrl,
})

/** @returns whether it was created */
async function set(db: Db, secret: Secret, code: string, options: Options): Promise<boolean> {
  if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(code))
    throw new StartError('The code must be up to 60 lower-case letters, digits and dashes.')
  const [known] = await listSources(db, code)
  const before = known
    ? fieldsOf(known)
    : { name: '', nameEn: '', system: '', callbackUrl: '', listUrl: '' }
  const fields = {
    name: options.name ?? before.name,
    nameEn: options.nameEn ?? before.nameEn,
    system: options.system ?? before.system,
    callbackUrl: options.callback ?? before.callbackUrl,
    listUrl: options.list ?? before.listUrl,
  }
  if (!fields.name) throw new StartError(`${code} is new: it needs --name.`)
  for (const address of [fields.callbackUrl, fields.listUrl])
    if (!/^(|https?:\/\/\S+)$/.test(address))
      throw new StartError(`${address} is not an address that begins with https://.`)
  if (known) await updateSource(db, secret, code, fields)
  else await createSource(db, secret, { code, ...fields })
  return !known
}
