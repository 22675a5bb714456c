import type { timetableFiles } from '@atrium/contract/work/timetables.operator'
import type { Command } from 'commander'
import { importOneRoster } from '#domains/learning/rostering/import-oneroster.ts'
import {
  holidayFields,
  periodFields,
  rosterFields,
  termFields,
  timetableFields,
} from '#domains/work/timetables/fields.ts'
import { timetableImporters } from '#domains/work/timetables/importers.ts'
import { type Fields, runImport } from '#platform/ingest/import.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { openReport } from './import-report.ts'
import { withInstallation } from './installation.ts'
import { addRunOptions, type TableOptions, table } from './table-command.ts'

type Options = TableOptions & { term?: string; prune?: boolean; force?: boolean }

/** Imports of terms, days off, periods of the day, courses with their lessons, and rosters. */
export function addTimetableCommands(group: Command) {
  const add = (
    what: (typeof timetableFiles)[number],
    description: string,
    fields: Fields,
    examples: string[],
    options?: (command: Command) => Command,
  ) =>
    table<Options>(
      group,
      what,
      description,
      async (run, file, { db }, { term, prune, force, dryRun }) => {
        const { timeZone } = await readSettings(db)
        return timetableImporters[what](run, file, { timeZone, term, prune, force, dryRun })
      },
      fields,
      examples,
      { ...(options && { options }) },
    )
  add('terms', 'terms and their weeks of teaching', termFields, [
    'npx atrium import terms terms.csv',
  ])
  add('holidays', 'days off, and the working days that replace them', holidayFields, [
    'npx atrium import holidays holidays.csv',
  ])
  add('periods', 'periods of the day, by campus and season', periodFields, [
    'npx atrium import periods periods.csv',
  ])
  add(
    'timetable',
    'courses with their lessons and examinations, and changes of single lessons',
    timetableFields,
    [
      'npx atrium import timetable timetable.csv --dry-run',
      'npx atrium import timetable timetable.csv --term 2026-2027-1',
      'npx atrium import timetable changes.csv',
    ],
    (command) =>
      forced(ofTerm(command)).option(
        '--prune',
        'also cancel the lessons of courses that are not in the file',
      ),
  )
  add(
    'rosters',
    'who attends and who teaches; the file must list everybody of each course and role in it',
    rosterFields,
    ['npx atrium import rosters rosters.csv'],
    (command) => forced(ofTerm(command)),
  )
  forced(
    addRunOptions(
      group
        .command('oneroster <folder>')
        .description(
          'terms, courses, rosters, assignments and marks of a OneRoster 1.2 CSV export: a folder, or the ZIP it came in',
        ),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  npx atrium import oneroster oneroster.zip --dry-run
  npx atrium import oneroster ./oneroster`,
    )
    .action((source: string, options: Options) =>
      withInstallation('current', async ({ db, url }) => {
        const { timeZone } = await readSettings(db)
        const report = openReport(source)
        report.say(
          await runImport(url, report.settings(options), (run) =>
            importOneRoster(run, source, {
              timeZone,
              force: options.force,
              dryRun: options.dryRun,
            }),
          ),
          options,
        )
      }),
    )
}

const ofTerm = (command: Command) =>
  command.option(
    '--term <code>',
    'the term of rows that name none; default: the current or next term',
  )
const forced = (command: Command) =>
  command.option('--force', 'allow cancelling or removing more than a fifth of the stored rows')
