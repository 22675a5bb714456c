import { OneOf, post, T } from '../define.ts'

/** Kinds of import files; the command line accepts the same. */
export const timetableFiles = ['terms', 'holidays', 'periods', 'timetable', 'rosters'] as const

export const TimetableImport = T.Object(
  {
    read: T.Integer(),
    added: T.Integer(),
    changed: T.Integer(),
    unchanged: T.Integer(),
    skipped: T.Integer({ description: 'rows with an issue, which were left out' }),
    written: T.Boolean({ description: 'false: tried only, or refused as a whole' }),
    issues: T.Array(T.Object({ row: T.Integer(), sentence: T.String() }), {
      description: 'the first 200; row 0: the file as a whole',
    }),
    notes: T.Array(T.String(), {
      description: 'what else it does: dates cancelled and moved, people told',
    }),
  },
  { $id: 'TimetableImport' },
)

/** Courses, lessons and attendees, from files of the timetabling system. */
export const timetables = {
  import: post('/console-api/v1/timetable-imports', {
    summary: 'Terms, days off, periods, a timetable or rosters of a CSV or JSON file',
    description:
      'The same file again changes nothing and tells nobody. Lessons of a course that are in the file no more are cancelled; more than a fifth of those to come only with force.',
    access: 'operator',
    permission: 'system',
    largest: 30_000_000,
    body: T.Object({
      what: OneOf(timetableFiles),
      text: T.String({ minLength: 1, description: 'the whole file' }),
      term: T.Optional(T.String({ maxLength: 64, description: 'of rows that name none' })),
      dryRun: T.Boolean({ default: false, description: 'say what would happen, write nothing' }),
      strict: T.Boolean({ default: false, description: 'write nothing when a row has an issue' }),
      prune: T.Boolean({ default: false, description: 'also of courses it does not name' }),
      force: T.Boolean({ default: false }),
    }),
    reply: TimetableImport,
  }),
}
