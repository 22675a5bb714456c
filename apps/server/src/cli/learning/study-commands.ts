import { readFile } from 'node:fs/promises'
import type { StudySource } from '@atrium/contract/learning/study-sources.operator'
import type { Command } from 'commander'
import { readSource } from '#domains/learning/rostering/read-source.ts'
import {
  findSource,
  getSource,
  listSources,
  putSource,
  removeSource,
} from '#domains/learning/rostering/sources.ts'
import { StartError } from '#platform/environment.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { withInstallation } from '../installation.ts'
import { withTerminalErrors } from '../terminal-errors.ts'

type Options = {
  kind?: string
  name?: string
  nameEn?: string
  address?: string
  tokenUrl?: string
  clientId?: string
  secretFile?: string
  every?: string
  disable?: boolean
  enable?: boolean
}

export function addStudyCommands(program: Command) {
  const group = program
    .command('study')
    .description('systems that courses, coursework and marks are read from')
  group
    .command('list')
    .description('list all with their state')
    .addHelpText('after', '\nExample:\n  npx atrium study list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const source of await listSources(db)) console.log(linesOf(source))
      }),
    )
  group
    .command('set <code>')
    .description('register one, or change it')
    .option('--kind <kind>', 'oneroster or moodle')
    .option('--name <text>', 'its name, as members see it')
    .option('--name-en <text>', 'its English name')
    .option('--address <address>', 'such as https://sis.example.edu/ims/oneroster')
    .option('--token-url <address>', 'OneRoster: the address that issues tokens')
    .option('--client-id <id>', 'OneRoster: the client id')
    .option('--secret-file <file>', 'a file that contains its secret, or Moodle’s token')
    .option('--every <minutes>', 'how often it is read')
    .option('--disable', 'stop reading it')
    .option('--enable', 'read it again')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium study set registry --kind oneroster --name 教务系统 --address https://sis.example.edu/ims/oneroster \\
    --token-url https://sis.example.edu/token --client-id atrium --secret-file secret.txt
  npx atrium study set moodle --kind moodle --name 网络教学平台 --address https://moodle.example.edu --secret-file token.txt`,
    )
    .action((code: string, options: Options) =>
      withInstallation('current', ({ db, env }) =>
        withTerminalErrors(async () => {
          if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(code))
            throw new StartError('The code must be up to 60 lower-case letters, digits and dashes.')
          const [before] = await listSources(db, code)
          const kind = options.kind ?? before?.kind
          if (kind !== 'oneroster' && kind !== 'moodle')
            throw new StartError('A source needs --kind oneroster or --kind moodle.')
          for (const needed of ['name', 'address'] as const)
            if (!(options[needed] ?? before?.[needed]))
              throw new StartError(`A source needs --${needed}.`)
          const every = Number(options.every ?? before?.everyMinutes ?? 60)
          if (!(every >= 5 && every <= 10_080))
            throw new StartError('--every must be from 5 to 10080 minutes.')
          const secret =
            options.secretFile === undefined
              ? undefined
              : (await readFile(options.secretFile, 'utf8').catch(() => '')).trim()
          if (secret === '') throw new StartError(`${options.secretFile} contains no secret.`)
          const seal = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          const source = await db.transaction().execute((db) =>
            putSource(db, seal, code, {
              kind,
              name: options.name ?? before?.name ?? '',
              nameEn: options.nameEn ?? before?.nameEn ?? '',
              address: options.address ?? before?.address ?? '',
              tokenUrl: options.tokenUrl ?? before?.tokenUrl ?? '',
              clientId: options.clientId ?? before?.clientId ?? '',
              everyMinutes: Math.round(every),
              enabled: options.enable ?? (options.disable ? false : (before?.enabled ?? true)),
              ...(secret !== undefined && { secret }),
            }),
          )
          console.log(linesOf(source))
        }),
      ),
    )
  group
    .command('read <code>')
    .description('read one now')
    .option('--force', 'allow removing more than a fifth of the stored rows')
    .addHelpText('after', '\nExample:\n  npx atrium study read registry')
    .action((code: string, { force = false }: { force?: boolean }) =>
      withInstallation('current', ({ db, env, url }) =>
        withTerminalErrors(async () => {
          const source = await findSource(db, code)
          if (!source) throw new StartError(`There is no source ${code}.`)
          const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
          await readSource({ db, url, env, secret, log: { warn() {} } }, source, { force })
          console.log(linesOf(await getSource(db, code)))
        }),
      ),
    )
  group
    .command('remove <code>')
    .description('remove one; the data read from it stays')
    .addHelpText('after', '\nExample:\n  npx atrium study remove registry')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await removeSource(db, code)
          console.log(`${code} was removed.`)
        }),
      ),
    )
}

const linesOf = (source: StudySource) =>
  [
    `${source.code}  ${source.name} (${source.kind})${source.enabled ? '' : ' (off)'}, ${source.courses} courses, every ${source.everyMinutes} min`,
    `    ${source.readAt ? `read ${source.readAt}: added ${source.added}, changed ${source.changed}` : 'not read yet'}`,
    ...(source.failures > 0
      ? [`    failed ${source.failures} times in a row: ${source.error}`]
      : []),
    ...source.issues.map((issue) => `    ${issue}`),
  ].join('\n')
