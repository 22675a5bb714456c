import type { timetableFiles } from '@atrium/contract/work/timetables.operator'
import type { Counts, Import, RowSource } from '#platform/ingest/import.ts'
import { importRosters } from './import-rosters.ts'
import { importTimetable, type TimetableSettings } from './import-timetable.ts'
import { importHolidays, importPeriods, importTerms } from './import-year.ts'

type Importer = (run: Import, source: RowSource, settings: TimetableSettings) => Promise<Counts>

/** The importer for each kind of file, used by the command line and the operators' API. */
export const timetableImporters: Record<(typeof timetableFiles)[number], Importer> = {
  terms: (run, source, { timeZone }) => importTerms(run, source, timeZone),
  holidays: (run, source, { timeZone }) => importHolidays(run, source, timeZone),
  periods: (run, source, { timeZone }) => importPeriods(run, source, timeZone),
  timetable: importTimetable,
  rosters: importRosters,
}
