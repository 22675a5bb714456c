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
    allDay: T.Boolean({ description: 'event: only the date of `at` is meaningful' }),
    figure: Nullable(
      T.Integer({
        description:
          'announcements: number of confirmations; opinions: stars; services: members who reported that it does not open',
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
    failed: T.Boolean({ description: 'this part could not be read; other parts are not affected' }),
    count: T.Integer({ description: 'total number of items' }),
    list: T.Array(Waiting, { description: 'the first three items' }),
  },
  { $id: 'WorkbenchPart' },
)
export type WorkbenchPartAnswer = Static<typeof WorkbenchPartAnswer>

export const Workbench = T.Object(
  {
    departments: T.Array(Department, {
      description: 'departments the caller is responsible for, at most 300',
    }),
    whole: T.Boolean({ description: 'the caller is responsible for the whole institution' }),
    department: Nullable(Department),
    permissions: T.Array(T.String(), {
      description: 'permissions of the caller in this department',
    }),
    parts: T.Array(WorkbenchPartAnswer, {
      description: 'the parts the caller has the permission for',
    }),
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
    summary: 'List the pending work of a department, by part',
    access: 'member',
    query: T.Object({ department }),
    reply: Workbench,
    errors: ['session.forbidden', 'workbench.department_not_found'],
  }),
  find: get('/console-api/v1/workbench/search', {
    summary: "Search a department's own content; at most ten results per kind",
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
          more: T.Boolean({ description: 'there are more results' }),
        }),
      ),
    }),
    errors: ['session.forbidden', 'workbench.department_not_found'],
  }),
  audiences: get('/console-api/v1/workbench/audiences', {
    summary:
      "List the audiences available to the caller: identity types and the caller's departments",
    access: 'member',
    query: T.Object({
      targets: T.Optional(
        T.String({
          maxLength: 2000,
          description:
            'codes of organisations and groups to return names for, comma-separated, at most 100',
        }),
      ),
    }),
    reply: T.Object({
      whole: T.Boolean({ description: 'the caller is responsible for the whole institution' }),
      identityTypes: T.Array(Department),
      departments: T.Array(T.Object({ id: Id, ...Department.properties })),
      names: T.Array(
        T.Object({ kind: OneOf(['organization', 'group']), ...Department.properties }),
        { description: 'names of the requested `targets`' },
      ),
    }),
    errors: ['session.forbidden'],
  }),
}
