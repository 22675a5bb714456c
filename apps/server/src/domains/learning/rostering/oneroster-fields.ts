import { readDay } from '#domains/work/timetables/rules.ts'
import { choiceCell, shortenCell, textCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'

/*
 * OneRoster 1.2. CSV columns have the same names as the JSON members, so one table serves both:
 * https://www.imsglobal.org/sites/default/files/spec/oneroster/v1p2/rostering-csv/
 */

/** File names, which equal the collections of the REST binding; the first four are required. */
export const oneRosterFiles = [
  'academicSessions',
  'classes',
  'users',
  'enrollments',
  'orgs',
  'courses',
  'categories',
  'lineItems',
  'results',
] as const
export type OneRosterFile = (typeof oneRosterFiles)[number]

const optional =
  <T>(read: (cell: string) => T) =>
  (cell: string): T | undefined =>
    cell === '' ? undefined : read(cell)
const id = { headers: ['sourcedId'], required: true, read: textCell(255) } as const
const status = {
  headers: ['status'],
  // Empty in bulk files, which contain only active records.
  read: choiceCell({ active: [''], tobedeleted: ['inactive'] }),
} as const
const text = (header: string, maxLength = 255) =>
  ({ headers: [header], read: textCell(maxLength) }) as const
const requiredText = (header: string) =>
  ({ headers: [header], required: true, read: textCell(255) }) as const
const day = (header: string) => ({ headers: [header], required: true, read: readDay }) as const
const number = (header: string) =>
  ({
    headers: [header],
    read: optional((cell) => {
      const value = Number(cell)
      if (!Number.isFinite(value) || Math.abs(value) > 99_999)
        throw new RowIssue(`is “${shortenCell(cell)}” and must be a number`)
      return value
    }),
  }) as const
/** A date or a date-time, distinguished by length. */
const moment = (header: string) =>
  ({
    headers: [header],
    read: optional((cell) => {
      if (/^\d{4}-\d\d-\d\d$/.test(cell)) return readDay(cell)
      if (!/^\d{4}-\d\d-\d\dT/.test(cell) || Number.isNaN(Date.parse(cell)))
        throw new RowIssue(`is “${shortenCell(cell)}” and must be a date such as 2026-11-24`)
      return new Date(cell).toISOString()
    }),
  }) as const

export const manifestFields = { name: requiredText('propertyName'), value: text('value') } as const
export const sessionFields = {
  id,
  status,
  title: requiredText('title'),
  type: requiredText('type'),
  startDate: day('startDate'),
  endDate: day('endDate'),
} as const
export const classFields = {
  id,
  status,
  title: requiredText('title'),
  classCode: text('classCode'),
  course: text('courseSourcedId'),
  school: text('schoolSourcedId'),
  terms: requiredText('termSourcedIds'),
} as const
export const userFields = { id, status, username: requiredText('username') } as const
export const enrollmentFields = {
  id,
  status,
  class: requiredText('classSourcedId'),
  user: requiredText('userSourcedId'),
  role: requiredText('role'),
} as const
export const orgFields = { id, status, name: requiredText('name') } as const
/** OneRoster has no credits: they are read from a metadata extension, as the specification allows. */
export const courseFields = {
  id,
  status,
  title: requiredText('title'),
  credits: number('metadata.credits'),
} as const
export const categoryFields = { id, status, title: requiredText('title') } as const
export const lineItemFields = {
  id,
  status,
  title: requiredText('title'),
  description: text('description', 4000),
  due: moment('dueDate'),
  class: requiredText('classSourcedId'),
  category: text('categorySourcedId'),
  maxPoints: number('resultValueMax'),
} as const
export const resultFields = {
  id,
  status,
  lineItem: requiredText('lineItemSourcedId'),
  student: requiredText('studentSourcedId'),
  state: text('scoreStatus'),
  score: number('score'),
  grade: text('textScore', 20),
  date: moment('scoreDate'),
  comment: text('comment', 2000),
} as const
