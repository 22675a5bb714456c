import { OneOf, post, T } from '../define.ts'

/** Kinds of import files; the command line accepts the same. */
export const timetableFiles = ['terms', 'holidays', 'periods', 'timetable', 'rosters'] as const

export const TimetableImport = T.Object(
  {
    read: T.Integer(),
    added: T.Integer(),
    changed: T.Integer(),
    unchanged: T.Integer(),
    skipped: T.Integer({ description: 'rows with issues, which were not imported' }),
    written: T.Boolean({ description: 'false: a dry run, or the whole file was refused' }),
    issues: T.Array(T.Object({ row: T.Integer(), sentence: T.String() }), {
      description: 'the first 200; row 0: the whole file',
    }),
    notes: T.Array(T.String(), {
      description: 'further effects: dates cancelled and moved, people notified',
    }),
  },
  { $id: 'TimetableImport' },
)

/** Courses, lessons and attendees, from files of the timetabling system. */
export const timetables = {
  import: post('/console-api/v1/timetable-imports', {
    summary: 'Import terms, days off, periods, a timetable or rosters from a CSV or JSON file',
    description:
      'Repeating an import changes nothing and notifies nobody. Lessons no longer in the file are cancelled; if they are more than a fifth of the upcoming ones, `force` is required.',
    access: 'operator',
    permission: 'system',
    largest: 30_000_000,
    body: T.Object({
      what: OneOf(timetableFiles),
      text: T.String({ minLength: 1, description: 'content of the file' }),
      term: T.Optional(T.String({ maxLength: 64, description: 'term of rows without one' })),
      dryRun: T.Boolean({
        default: false,
        description: 'report what would happen, without writing',
      }),
      strict: T.Boolean({ default: false, description: 'write nothing if any row has an issue' }),
      prune: T.Boolean({
        default: false,
        description: 'also cancel lessons of courses of these terms that are not in the file',
      }),
      force: T.Boolean({ default: false }),
    }),
    reply: TimetableImport,
  }),
}
