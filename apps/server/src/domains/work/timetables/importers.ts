import type { timetableFiles } from '@atrium/contract/work/timetables.operator'
import type { Counts, Import, RowSource } from '#platform/ingest/import.ts'
import { importRosters } from './import-rosters.ts'
import { importTimetable, type TimetableSettings } from './import-timetable.ts'
import { importHolidays, importPeriods, importTerms } from './import-year.ts'

type Importer = (run: Import, source: RowSource, settings: TimetableSettings) => Promise<Counts>

/** What reads each kind of file, for the command line and for operators' calls. */
export const timetableImporters: Record<(typeof timetableFiles)[number], Importer> = {
  terms: (run, source, { timeZone }) => importTerms(run, source, timeZone),
  holidays: (run, source, { timeZone }) => importHolidays(run, source, timeZone),
  periods: (run, source, { timeZone }) => importPeriods(run, source, timeZone),
  timetable: importTimetable,
  rosters: importRosters,
}
