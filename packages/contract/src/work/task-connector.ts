import { OneOf, type Static, T } from '../define.ts'
import { TaskAction } from './tasks.ts'

const pointerForm = { maxLength: 300, pattern: '^(/([^~]|~[01])*)?$' }
/** A JSON Pointer (RFC 6901); the empty one selects the whole document. */
const pointer = T.String({ ...pointerForm, description: 'JSON Pointer (RFC 6901)' })
/** The host is literal: substituted values cannot change where a request goes. */
const address = (description: string) =>
  T.String({ maxLength: 1000, pattern: '^https?://[^/?#{}@\\s]+([/?][^\\s]*)?$', description })
const texts = () => T.Record(T.String(), T.String({ maxLength: 500 }), { default: {} })
const name = T.String({ minLength: 1, maxLength: 60 })

/** Source of a value: a pointer, a pointer with a lookup table, or a text with pointers in braces. */
export const Mapped = T.Union([
  pointer,
  T.Object({
    at: T.Optional(pointer),
    values: T.Optional(
      T.Record(T.String(), T.String({ maxLength: 500 }), {
        description: 'lookup table from values of the source to values here',
      }),
    ),
    text: T.Optional(
      T.String({
        maxLength: 1000,
        description: 'instead of `at`; pointers in braces such as `{/id}` are replaced',
      }),
    ),
    otherwise: T.Optional(
      T.String({
        maxLength: 500,
        description: 'default for missing values and values not in the table',
      }),
    ),
  }),
])
export type Mapped = Static<typeof Mapped>
const mapped = T.Optional(Mapped)
const person = { username: mapped, number: mapped, person: mapped }

/** How to poll a system that cannot push for its open tasks, and how to report members' actions to it. */
export const TaskConnector = T.Object(
  {
    everyMinutes: T.Integer({ minimum: 1, maximum: 1440, default: 5 }),
    timeoutSeconds: T.Integer({
      minimum: 1,
      maximum: 30,
      default: 10,
      description: 'timeout of one request in seconds',
    }),
    list: T.Object({
      address: address('endpoint that lists the open tasks'),
      query: texts(),
      headers: texts(),
    }),
    authentication: T.Object(
      {
        kind: OneOf(['none', 'bearer', 'basic', 'header', 'client-credentials'], {
          default: 'none',
        }),
        username: T.Optional(T.String({ maxLength: 200, description: 'for basic' })),
        header: T.Optional(name),
        tokenAddress: T.Optional(address('client-credentials: token endpoint')),
        clientId: T.Optional(T.String({ maxLength: 200 })),
        sendSecretIn: T.Optional(OneOf(['header', 'body'])),
        scope: T.Optional(T.String({ maxLength: 500 })),
        resource: T.Optional(T.String({ maxLength: 500 })),
      },
      { default: {} },
    ),
    paging: T.Object(
      {
        kind: OneOf(['none', 'page', 'offset', 'cursor', 'link'], { default: 'none' }),
        parameter: T.Optional(name),
        first: T.Optional(
          T.Integer({ minimum: 0, maximum: 1, description: 'number of the first page; default 1' }),
        ),
        sizeParameter: T.Optional(name),
        size: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
        next: T.Optional(pointer),
        total: T.Optional(pointer),
      },
      { default: {} },
    ),
    items: T.String({ ...pointerForm, default: '', description: 'pointer to the array of tasks' }),
    task: T.Object({
      key: Mapped,
      version: mapped,
      title: Mapped,
      note: mapped,
      url: mapped,
      status: mapped,
      urgent: mapped,
      createdAt: mapped,
      dueAt: mapped,
      applicant: T.Object(person, { default: {} }),
      form: T.Array(T.Object({ label: name, value: Mapped }), { maxItems: 60, default: [] }),
      step: mapped,
      assignees: T.Object({ each: T.Optional(pointer), ...person }),
      actions: mapped,
    }),
    gone: OneOf(['finish', 'break'], { default: 'finish' }),
    action: T.Optional(
      T.Object({
        address: address("endpoint notified of members' actions"),
        method: OneOf(['POST', 'PUT'], { default: 'POST' }),
        headers: texts(),
        format: OneOf(['json', 'form'], { default: 'json' }),
        body: T.Optional(T.Unknown({ description: 'placeholders in texts are replaced' })),
        answer: T.Optional(
          T.Object({
            at: pointer,
            yes: T.Array(T.String({ maxLength: 100 }), { minItems: 1, maxItems: 20 }),
            no: T.Array(T.String({ maxLength: 100 }), { maxItems: 50, default: [] }),
          }),
        ),
        refusedStatuses: T.Array(T.Integer({ minimum: 400, maximum: 499 }), {
          maxItems: 20,
          default: [],
        }),
        reason: T.Optional(pointer),
        offers: T.Array(
          T.Object({
            ...TaskAction.properties,
            value: T.Optional(
              T.String({ maxLength: 100, description: "the system's own value for the action" }),
            ),
          }),
          { minItems: 1, maxItems: 8 },
        ),
      }),
    ),
  },
  { $id: 'TaskConnector' },
)
export type TaskConnector = Static<typeof TaskConnector>

/** Result of a trial run of a connector; nothing is stored. */
export const TaskTrial = T.Object(
  {
    pages: T.Integer(),
    listed: T.Integer({ description: 'number of tasks on these pages' }),
    more: T.Boolean({ description: 'there are further pages' }),
    issue: T.String({ description: 'error that ended reading, or empty' }),
    tasks: T.Array(
      T.Object({
        key: T.String(),
        title: T.String(),
        status: T.String(),
        applicant: T.String(),
        assignees: T.Array(T.String()),
        dueAt: T.String(),
        url: T.String(),
        actions: T.Array(T.String()),
      }),
    ),
    problems: T.Array(
      T.Object({
        page: T.Integer(),
        at: T.String({ description: 'JSON Pointer into the response' }),
        field: T.String({ description: 'JSON Pointer into the connector' }),
        text: T.String(),
      }),
    ),
    unknown: T.Array(T.String(), { description: 'people without an active account here' }),
  },
  { $id: 'TaskTrial' },
)
export type TaskTrial = Static<typeof TaskTrial>
