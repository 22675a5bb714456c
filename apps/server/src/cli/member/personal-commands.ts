import { readFileSync } from 'node:fs'
import {
  type PersonalConnector,
  type SourceKind,
  sourceKinds,
} from '@atrium/contract/member/personal-source'
import type { PersonalTrial } from '@atrium/contract/member/personal-sources.operator'
import { type Command, InvalidArgumentError } from 'commander'
import { readPersonalConnector } from '#domains/member/personal-sources/connector-rules.ts'
import {
  importPersonal,
  type PersonalFile,
  personalFields,
  personalFiles,
} from '#domains/member/personal-sources/import-personal.ts'
import {
  findSources,
  getSource,
  listSources,
  needsSecret,
  removeSource,
  reusableSecret,
  setSource,
} from '#domains/member/personal-sources/sources.ts'
import { trySource } from '#domains/member/personal-sources/try-source.ts'
import { StartError } from '#platform/environment.ts'
import { fieldTexts } from '#platform/http/errors.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { promptHidden, readStdin } from '../prompt.ts'
import { type TableOptions, table } from '../table-command.ts'
import { withTerminalErrors } from '../terminal-errors.ts'

type Options = { member?: string; secretStdin?: boolean }

/** Commands for the systems that are queried about a member. */
export function addPersonalCommands(program: Command) {
  const group = program
    .command('personal')
    .description('systems with data about members: card, library, mail, research')
  group
    .command('list')
    .description('list all with their state')
    .addHelpText('after', '\nExample:\n  npx atrium personal list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const one of await listSources(db)) {
          console.log(
            `${one.kind}  ${one.way}  ${one.state}  members: ${one.members}${one.answeredAt ? `  last answer: ${one.answeredAt}, ${one.milliseconds} ms` : ''}`,
          )
          if (one.refused > 0) console.log(`    answers about another member: ${one.refused}`)
          if (one.error) console.log(`    failed ${one.failures} times in a row: ${one.error}`)
        }
      }),
    )
  group
    .command('try <kind> [file]')
    .description(
      'query a system about one member, and store nothing; without a file, the connected system',
    )
    .requiredOption('--member <username>', 'the member')
    .option('--secret-stdin', 'read the secret from standard input')
    .addHelpText(
      'after',
      `
Kinds: ${sourceKinds.join(', ')}. Shows the answer as the member would see it, and every problem.

Examples:
  npx atrium personal try ecard card.json --member 20230415
  npx atrium personal try books --member 20230415`,
    )
    .action(tryKind)
  group
    .command('connect <kind> <file>')
    .description('connect a system as described in a file; prompts for its secret if it needs one')
    .option('--secret-stdin', 'read the secret from standard input')
    .addHelpText('after', '\nExample:\n  npx atrium personal connect ecard card.json')
    .action(connect)
  group
    .command('disconnect <kind>')
    .description('stop querying it, and delete what it answered')
    .addHelpText('after', '\nExample:\n  npx atrium personal disconnect ecard')
    .action((kind: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeSource(db, kindOf(kind)))
          console.log(`${kind} is no longer queried.`)
        }),
      ),
    )
}

function kindOf(text: string): SourceKind {
  const kind = sourceKinds.find((one) => one === text)
  if (!kind) throw new InvalidArgumentError(`The kinds are ${sourceKinds.join(', ')}.`)
  return kind
}

/** @throws StartError naming every invalid field */
function readConnector(kind: SourceKind, file: string): PersonalConnector {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`)
  }
  const read = readPersonalConnector(kind, given)
  if ('connector' in read) return read.connector
  const lines = Object.entries(fieldTexts(read.issues, 'en')).map(
    ([field, text]) => `  ${field === 'body' ? 'the file' : field}  ${text}`,
  )
  throw new StartError(`${file} is not a valid description:\n${lines.join('\n')}`)
}

const secretOf = ({ env }: Installation) =>
  openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))

const askSecret = async ({ secretStdin }: Options) =>
  (secretStdin ? await readStdin() : await promptHidden('Secret: ')) || undefined

const tryKind = (text: string, file: string | undefined, options: Options) =>
  withInstallation('current', (installation) =>
    withTerminalErrors(async () => {
      const kind = kindOf(text)
      const { db, env } = installation
      const connector =
        file === undefined ? (await getSource(db, kind)).connector : readConnector(kind, file)
      const kept = options.secretStdin
        ? undefined
        : reusableSecret((await findSources(db)).get(kind), connector)
      const trial = await trySource(db, kind, connector, {
        username: options.member ?? '',
        secret: !needsSecret(connector)
          ? undefined
          : kept
            ? secretOf(installation).decrypt(kept)
            : await askSecret(options),
        allow: env.ATRIUM_OUTBOUND_ALLOW,
      })
      print(trial)
      if (trial.issue) throw new StartError(`No answer: ${trial.issue}`)
    }),
  )

function print({ known, milliseconds, value, problems }: PersonalTrial) {
  console.log(known ? JSON.stringify(value, null, 2) : 'The system does not know the member.')
  for (const { field, text } of problems) console.log(`  ${field || '/'}  ${text}`)
  console.log(`It took ${milliseconds} ms.`)
}

const connect = (text: string, file: string, options: Options) =>
  withInstallation('current', (installation) =>
    withTerminalErrors(async () => {
      const kind = kindOf(text)
      const connector = readConnector(kind, file)
      const { db } = installation
      const source = (await findSources(db)).get(kind)
      const needsNew =
        needsSecret(connector) && (options.secretStdin || !reusableSecret(source, connector))
      const secret = needsNew ? await askSecret(options) : undefined
      await db
        .transaction()
        .execute((db) => setSource(db, secretOf(installation), kind, { connector, secret }))
      console.log(
        `${kind} is queried when members open it, and cached for ${connector.keepMinutes} min. To test it: npx atrium personal try ${kind} --member <username>`,
      )
    }),
  )

/** Imports of the same data from exported files. */
export function addPersonalImports(group: Command) {
  for (const file of Object.keys(personalFiles) as PersonalFile[])
    table<TableOptions & { fen?: boolean }>(
      group,
      file,
      personalFiles[file].about,
      async (run, source, { db }, { fen }) => {
        const { timeZone } = await readSettings(db)
        return importPersonal(run, source, file, { timeZone, moneyIn: fen ? 'fen' : 'yuan' })
      },
      personalFields(file),
      [`npx atrium import ${file} ${file}.csv --dry-run`, `npx atrium import ${file} ${file}.csv`],
      { options: (command) => command.option('--fen', 'amounts are in fen (分)') },
    )
}
