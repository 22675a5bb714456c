import { department, get, Id, Nullable, OneOf, type Static, T, Time } from '../define.ts'

/** A department that the member is responsible for. */
export const Department = T.Object(
  { code: T.String(), name: T.String(), nameEn: T.String() },
  { $id: 'WorkbenchDepartment' },
)

/** A pending or upcoming item, as one line. */
const Waiting = T.Object(
  {
    id: T.String(),
    title: T.String(),
    titleEn: T.String(),
    note: T.String({ description: 'its column, mailbox or service' }),
    noteEn: T.String(),
    at: Nullable(Time),
    allDay: T.Boolean({ description: 'of an event: its day counts, not the hour' }),
    figure: Nullable(
      T.Integer({
        description:
          'announcements: who has confirmed; opinions: stars; services: members who say it does not open',
      }),
    ),
  },
  { $id: 'WorkbenchWaiting' },
)
export const workbenchParts = [
  'articles',
  'announcements',
  'confirmations',
  'letters',
  'feedback',
  'opinions',
  'services',
  'events',
] as const
export type WorkbenchPart = (typeof workbenchParts)[number]

export const WorkbenchPartAnswer = T.Object(
  {
    part: OneOf(workbenchParts),
    failed: T.Boolean({ description: 'it could not be read; the others are as they are' }),
    count: T.Integer({ description: 'as many as its list holds' }),
    list: T.Array(Waiting, { description: 'the first three' }),
  },
  { $id: 'WorkbenchPart' },
)
export type WorkbenchPartAnswer = Static<typeof WorkbenchPartAnswer>

export const Workbench = T.Object(
  {
    departments: T.Array(Department, {
      description: 'what the caller looks after, three hundred at most',
    }),
    whole: T.Boolean({ description: 'the caller looks after the whole institution' }),
    department: Nullable(Department),
    permissions: T.Array(T.String(), { description: 'what the caller may do there' }),
    parts: T.Array(WorkbenchPartAnswer, { description: 'those the caller may look after' }),
  },
  { $id: 'Workbench' },
)
export type Workbench = Static<typeof Workbench>

export const workbenchKinds = ['article', 'announcement', 'service', 'event', 'letter'] as const
const Found = T.Object(
  {
    kind: OneOf(workbenchKinds),
    id: T.String(),
    title: T.String(),
    titleEn: T.String(),
    note: T.String(),
    noteEn: T.String(),
    at: Nullable(Time),
  },
  { $id: 'WorkbenchFound' },
)
export type WorkbenchFound = Static<typeof Found>

/** The workbench of members responsible for a department; all others are refused. */
export const workbench = {
  read: get('/console-api/v1/workbench', {
    summary: 'What waits for those who look after a department, each part for itself',
    access: 'member',
    query: T.Object({ department }),
    reply: Workbench,
    errors: ['session.forbidden', 'workbench.department_not_found'],
  }),
  find: get('/console-api/v1/workbench/search', {
    summary: 'What a department has of its own by words: ten of a kind at most',
    access: 'member',
    query: T.Object({
      department,
      keyWords: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    }),
    reply: T.Object({
      groups: T.Array(
        T.Object({
          kind: OneOf(workbenchKinds),
          failed: T.Boolean(),
          list: T.Array(Found),
          more: T.Boolean({ description: 'there are more than these' }),
        }),
      ),
    }),
    errors: ['session.forbidden', 'workbench.department_not_found'],
  }),
  audiences: get('/console-api/v1/workbench/audiences', {
    summary: 'Whom something can be for: identity types, and the departments of the caller',
    access: 'member',
    query: T.Object({
      targets: T.Optional(
        T.String({
          maxLength: 2000,
          description: 'codes of organisations and groups whose names are wanted, comma-separated',
        }),
      ),
    }),
    reply: T.Object({
      whole: T.Boolean({ description: 'the caller looks after the whole institution' }),
      identityTypes: T.Array(Department),
      departments: T.Array(T.Object({ id: Id, ...Department.properties })),
      names: T.Array(
        T.Object({ kind: OneOf(['organization', 'group']), ...Department.properties }),
        { description: 'of those asked for' },
      ),
    }),
    errors: ['session.forbidden'],
  }),
}
