import { readFileSync } from 'node:fs'
import type { TaskConnector, TaskTrial } from '@atrium/contract/work/task-connector'
import type { Command } from 'commander'
import { readConnectorFile } from '#domains/work/task-integration/connector-rules.ts'
import { tryConnector } from '#domains/work/task-integration/connector-tasks.ts'
import {
  removeConnector,
  reusableSecret,
  setConnector,
} from '#domains/work/task-integration/connectors.ts'
import { findSource } from '#domains/work/task-integration/sources.ts'
import { StartError } from '#platform/environment.ts'
import { fieldTexts } from '#platform/http/errors.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { type Installation, withInstallation } from './installation.ts'
import { promptHidden, readSecretStdin } from './prompt.ts'
import { withTerminalErrors } from './terminal-errors.ts'

type Options = { source?: string; secretStdin?: boolean }

/** Commands for systems that are polled as described in a file because they cannot push. */
export function addTaskConnectorCommands(group: Command) {
  group
    .command('try <file>')
    .description('read the first tasks as described in a file, and store nothing')
    .option('--source <code>', 'use the stored secret of this source')
    .option('--secret-stdin', 'read the secret from standard input')
    .addHelpText(
      'after',
      `
Shows the tasks as they would be stored, and every problem with its place in the answer and the field of the description.

Examples:
  npx atrium task-source try leave.json
  npx atrium task-source try leave.json --source leave`,
    )
    .action(tryFile)
  group
    .command('connect <code> <file>')
    .description('poll one as described in a file; prompts for its secret if it needs one')
    .option('--secret-stdin', 'read the secret from standard input')
    .addHelpText('after', '\nExample:\n  npx atrium task-source connect leave leave.json')
    .action(connect)
  group
    .command('disconnect <code>')
    .description('stop polling one; its tasks stay unchanged')
    .addHelpText('after', '\nExample:\n  npx atrium task-source disconnect leave')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeConnector(db, code))
          console.log(`${code} is no longer polled.`)
        }),
      ),
    )
}

/** @throws StartError naming every invalid field */
function readConnector(file: string): TaskConnector {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`)
  }
  const read = readConnectorFile(given)
  if ('connector' in read) return read.connector
  const lines = Object.entries(fieldTexts(read.issues, 'en')).map(
    ([pointer, text]) => `  ${pointer || 'the file'}  ${text}`,
  )
  throw new StartError(`${file} is not a valid description:\n${lines.join('\n')}`)
}

const secretOf = ({ env }: Installation) =>
  openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))

async function askSecret({ authentication }: TaskConnector, options: Options) {
  const secret = options.secretStdin
    ? await readSecretStdin()
    : await promptHidden(`Secret (${authentication.kind}): `)
  return secret || undefined
}

const tryFile = (file: string, options: Options) =>
  withInstallation('current', (installation) =>
    withTerminalErrors(async () => {
      const connector = readConnector(file)
      const { db, env } = installation
      const source = options.source === undefined ? undefined : await findSource(db, options.source)
      const needed = connector.authentication.kind !== 'none'
      const kept = source && !options.secretStdin ? reusableSecret(source, connector) : undefined
      const trial = await tryConnector(
        db,
        connector,
        !needed
          ? undefined
          : kept
            ? secretOf(installation).decrypt(kept)
            : await askSecret(connector, options),
        { allow: env.ATRIUM_OUTBOUND_ALLOW, timeZone: (await readSettings(db)).timeZone },
      )
      print(trial)
      if (trial.issue) throw new StartError(`Reading stopped: ${trial.issue}`)
    }),
  )

const connect = (code: string, file: string, options: Options) =>
  withInstallation('current', (installation) =>
    withTerminalErrors(async () => {
      const connector = readConnector(file)
      const { db } = installation
      const needsNew =
        connector.authentication.kind !== 'none' &&
        (options.secretStdin || !reusableSecret(await findSource(db, code), connector))
      const secret = needsNew ? await askSecret(connector, options) : undefined
      await db
        .transaction()
        .execute((db) => setConnector(db, secretOf(installation), code, { connector, secret }))
      console.log(
        `${code} is polled every ${connector.everyMinutes} min. To poll it now: npx atrium task-source compare ${code}`,
      )
    }),
  )

function print({ pages, listed, more, tasks, problems, unknown }: TaskTrial) {
  const rows = tasks.map(({ key, title, status, assignees, dueAt, actions }) => [
    key,
    title,
    status,
    assignees.join(' '),
    dueAt,
    actions.join(' '),
  ])
  const head = ['key', 'title', 'status', 'assignees', 'due', 'actions']
  for (const line of table([head, ...rows])) console.log(line)
  console.log(`${listed} tasks on ${pages} pages${more ? ', and there are more' : ''}.`)
  for (const { page, at, field, text } of problems)
    console.log(`  page ${page}  ${at || '/'}  ${field}  ${text}`)
  if (unknown.length > 0) console.log(`Unknown members: ${unknown.join(', ')}.`)
}

const maxCell = 40

/** Aligns the columns; a Chinese character is two cells wide. */
function table(rows: string[][]): string[] {
  const widthOf = (text: string) =>
    [...text].reduce(
      (sum, one) =>
        sum +
        (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
          one,
        )
          ? 2
          : 1),
      0,
    )
  const cut = (text: string) => {
    const characters = [...text]
    return characters.length > maxCell ? `${characters.slice(0, maxCell - 1).join('')}…` : text
  }
  const cells = rows.map((row) => row.map(cut))
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  )
}
