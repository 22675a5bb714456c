import { type Command, InvalidArgumentError } from 'commander'
import { type Counts, type Fields, type Import, runImport } from '#platform/ingest/import.ts'
import { openReport } from './import-report.ts'
import { type Installation, withInstallation } from './installation.ts'

export type RunOptions = { dryRun?: boolean; strict?: boolean; wait?: boolean }
export type TableOptions = RunOptions & { encoding?: string; map?: ReadonlyMap<string, string> }
type Importer<O> = (
  run: Import,
  file: string,
  installation: Installation,
  options: O,
) => Promise<Counts>
type More = { aliases?: string[]; options?: (command: Command) => Command }

export const addRunOptions = (command: Command) =>
  command
    .option('--dry-run', 'check everything and report what would change, write nothing')
    .option('--strict', 'write nothing when any row has an issue')
    .option('--wait', 'wait for a running import instead of failing')

export const addEncodingOption = (command: Command) =>
  command.option('--encoding <name>', 'the encoding of the file, such as gb18030 or big5')

/** Parses `--map "their column=ours"`, a repeatable option. */
function addColumn(text: string, before: ReadonlyMap<string, string> = new Map()) {
  const at = text.lastIndexOf('=')
  const [theirs, ours] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || !theirs || !ours) throw new InvalidArgumentError('Write it as "their column=ours".')
  return new Map([...before, [theirs, ours]])
}

export function table<O extends TableOptions = TableOptions>(
  group: Command,
  name: string,
  description: string,
  importer: Importer<O>,
  fields: Fields,
  examples: string[],
  { aliases = [], options }: More = {},
) {
  const command = group.command(`${name} <file>`).aliases(aliases).description(description)
  options?.(command)
  addEncodingOption(addRunOptions(command))
    .option(
      '--map <theirs=ours>',
      'maps a column of the file to one of the columns below; may be repeated',
      addColumn,
    )
    .addHelpText(
      'after',
      `
Columns (* required); a missing column leaves the stored value unchanged:
${Object.values(fields)
  .map(
    ({ headers: [first, ...others], required }) =>
      `  ${(required ? `${first} *` : first).padEnd(20)} ${others.join(', ')}`,
  )
  .join('\n')}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}`,
    )
    .action((file: string, options: O) =>
      withInstallation('current', async (installation) => {
        const report = openReport(file)
        report.say(
          await runImport(installation.url, report.settings(options), (run) =>
            importer(run, file, installation, options),
          ),
          options,
        )
      }),
    )
}
