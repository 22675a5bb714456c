import { randomBytes } from 'node:crypto'
import type { RegisteredMessageApp } from '@atrium/contract/work/message-integration.operator'
import type { Command } from 'commander'
import {
  createApp,
  listRegistered,
  removeApp,
  updateApp,
} from '#domains/work/message-integration/apps.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { openSecret, readSecret, type Secret } from '#platform/secret.ts'
import { withInstallation } from './installation.ts'
import { withTerminalErrors } from './terminal-errors.ts'

type Options = {
  name?: string
  nameEn?: string
  system?: string
  glyph?: string
  kind?: string[]
  callback?: string
}

/** Initial values of a new application. */
const empty = {
  description: '',
  descriptionEn: '',
  icon: { glyph: 'message', tone: 'blue' as const },
  position: 0,
  callbackUrl: '',
}

export function addMessageAppCommands(program: Command) {
  const group = program
    .command('message-app')
    .description('applications that send messages, and their kinds of messages')
  group
    .command('list')
    .description('list all')
    .addHelpText('after', '\nExample:\n  npx atrium message-app list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const app of await listRegistered(db)) console.log(lineOf(app))
      }),
    )
  group
    .command('set <code>')
    .description('register one, or change it')
    .option('--name <text>', 'its name')
    .option('--name-en <text>', 'its English name')
    .option('--system <code>', 'the registered system that sends its messages; "" for none')
    .option('--glyph <name>', 'its icon')
    .option(
      '--kind <code=name...>',
      'kinds of messages it sends; a new one without --kind has "general"',
    )
    .option('--callback <address>', 'notified of what recipients do; "" for none')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium message-app set loans --name 借阅提醒 --name-en Loans --system library
  npx atrium message-app set loans --kind due=到期提醒 overdue=超期提醒
  npx atrium message-app set loans --callback https://lib.example.edu/told`,
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
    .description('create a new secret that signs its callbacks, and show it once')
    .addHelpText('after', '\nExample:\n  npx atrium message-app secret loans')
    .action((code: string) =>
      withInstallation('current', ({ db, env }) =>
        withTerminalErrors(async () => {
          const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          const callbackSecret = `whsec_${randomBytes(32).toString('base64')}`
          await db.transaction().execute(async (db) => {
            const known = await find(db, code)
            if (!known) throw new StartError(`There is no message application ${code}.`)
            await updateApp(db, secret, code, { ...fieldsOf(known), callbackSecret })
          })
          console.log(callbackSecret)
        }),
      ),
    )
  group
    .command('remove <code>')
    .description('remove one that has sent nothing')
    .addHelpText('after', '\nExample:\n  npx atrium message-app remove loans')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeApp(db, code))
          console.log(`${code} was removed.`)
        }),
      ),
    )
}

const lineOf = ({
  code,
  name,
  system,
  kinds,
  callbackWaiting,
  callbackError,
}: RegisteredMessageApp) =>
  [
    `${code}  ${name}${system ? `  sent by ${system}` : ''}`,
    `    kinds: ${kinds.map((kind) => kind.code).join(', ')}`,
    ...(callbackWaiting > 0
      ? [
          `    ${callbackWaiting} events wait for the callback${callbackError && `: ${callbackError}`}`,
        ]
      : []),
  ].join('\n')

const find = async (db: Db, code: string) => (await listRegistered(db, code))[0]
const fieldsOf = (app: RegisteredMessageApp) => ({
  name: app.name,
  nameEn: app.nameEn,
  description: app.description,
  descriptionEn: app.descriptionEn,
  icon: app.icon,
  position: app.position,
  callbackUrl: app.callbackUrl,
})

/** @returns whether it was created */
async function set(db: Db, secret: Secret, code: string, options: Options): Promise<boolean> {
  if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(code))
    throw new StartError('The code must be up to 60 lower-case letters, digits and dashes.')
  const known = await find(db, code)
  const kinds = (options.kind ?? (known ? [] : ['general=通知'])).map(readKind)
  const before = known ? fieldsOf(known) : { ...empty, name: '', nameEn: '' }
  const fields = {
    ...before,
    name: options.name ?? before.name,
    nameEn: options.nameEn ?? before.nameEn,
    icon: { ...before.icon, ...(options.glyph && { glyph: options.glyph }) },
    callbackUrl: options.callback ?? before.callbackUrl,
    ...(options.system !== undefined && { system: options.system || null }),
    kinds,
  }
  if (!fields.name) throw new StartError(`${code} is new: it needs --name.`)
  if (known) await updateApp(db, secret, code, fields)
  else await createApp(db, secret, { code, ...fields })
  return !known
}

function readKind(text: string) {
  const [, code, name] = /^([a-z0-9][a-z0-9-]{0,59})=(.+)$/.exec(text) ?? []
  if (!code || !name) throw new StartError(`${text} is not code=name, such as due=到期提醒.`)
  return {
    code,
    name,
    nameEn: '',
    channels: ['push' as const],
    defaultChannels: ['push' as const],
    canTurnOff: true,
    urgent: false,
    keepDays: 365,
  }
}
