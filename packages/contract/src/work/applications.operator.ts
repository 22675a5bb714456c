import { del, get, Icon, Nullable, OneOf, post, put, type Static, T, Username } from '../define.ts'
import { AudienceRule } from '../shell/launch.operator.ts'
import { FormData, FormSchema } from './applications.ts'

const code = T.String({ pattern: '^[a-z0-9][a-z0-9-]{0,59}$' })
const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })
const optional = (maxLength: number) => T.String({ maxLength, default: '' })

/** Who decides: heads of the applicant's organisation, a group, an account, or a person named by the applicant. */
export const Approver = T.Object({
  kind: OneOf(['head', 'group', 'account', 'field']),
  target: T.String({
    maxLength: 100,
    default: '',
    description: 'code of the group, username, or name of a form field with the format `person`',
  }),
  above: T.Integer({
    minimum: 0,
    maximum: 20,
    default: 0,
    description: "head: number of levels above the applicant's own organisation",
  }),
  inOrganization: T.Boolean({
    default: false,
    description: "group: only members in the applicant's organisation or one above it",
  }),
})
export type Approver = Static<typeof Approver>

export const Condition = T.Object(
  {
    field: T.String({
      maxLength: 100,
      description: 'form field, or `table.column` for the sum of a column',
    }),
    is: OneOf(['=', '<>', '<', '<=', '>', '>=']),
    value: T.Union([T.Number(), T.String({ maxLength: 60 })]),
  },
  { $id: 'Condition' },
)
export type Condition = Static<typeof Condition>

export const ApprovalStep = T.Object(
  {
    code: T.String({ pattern: '^[a-z][a-z0-9-]{0,29}$' }),
    name: text(30),
    nameEn: optional(60),
    approvers: T.Array(Approver, { minItems: 1, maxItems: 10 }),
    decide: OneOf(['any', 'all'], { default: 'any' }),
    when: T.Array(Condition, {
      maxItems: 10,
      default: [],
      description: 'the step applies only if all conditions hold',
    }),
    confirm: T.Optional(
      T.Boolean({ description: 'deciding requires the identity to be confirmed again' }),
    ),
    hours: Nullable(T.Integer({ minimum: 1, maximum: 8760 })),
    escalateTo: T.Array(Approver, {
      maxItems: 10,
      default: [],
      description: 'further approvers after `hours` have passed',
    }),
  },
  { $id: 'ApprovalStep' },
)
export type ApprovalStep = Static<typeof ApprovalStep>

const fields = {
  name: text(40),
  nameEn: optional(60),
  summary: optional(200),
  summaryEn: optional(300),
  icon: T.Object({
    glyph: T.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    tone: Icon.properties.tone,
  }),
  organization: T.String({ maxLength: 100, description: 'code of the department that offers it' }),
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
  open: T.Boolean({ default: true, description: 'false: no new applications' }),
  title: T.String({
    maxLength: 200,
    default: '',
    description: 'title of each application; {field} is replaced by the submitted value',
  }),
  titleEn: T.String({
    maxLength: 200,
    default: '',
    description:
      'the same in English; empty: the Chinese title, or `nameEn` if `title` is empty too',
  }),
  schema: FormSchema,
  steps: T.Array(ApprovalStep, { minItems: 1, maxItems: 20 }),
  managers: T.Array(Username, {
    minItems: 1,
    maxItems: 20,
    description: 'approvers of steps that have nobody else',
  }),
}
export const ApplicationFormFields = T.Object(fields)
export type ApplicationFormFields = Static<typeof ApplicationFormFields>

export const ApplicationForm = T.Object(
  {
    code: T.String(),
    version: T.Integer(),
    ...fields,
    running: T.Integer({ description: 'number of undecided applications' }),
    waiting: T.Integer({ description: 'number of undecided applications without an approver' }),
  },
  { $id: 'ApplicationForm' },
)
export type ApplicationForm = Static<typeof ApplicationForm>

const params = T.Object({ code })
const operator = { access: 'operator', permission: 'messages' } as const

/** Forms that members may fill in, for operators. */
export const applicationForms = {
  list: get('/console-api/v1/application-forms', {
    summary: 'List all forms, with the number of running applications',
    ...operator,
    reply: T.Array(ApplicationForm),
  }),
  put: put('/console-api/v1/application-forms/{code}', {
    summary:
      'Create or update a form; running applications keep the version they were started with',
    ...operator,
    params,
    body: ApplicationFormFields,
    reply: ApplicationForm,
    errors: ['request.invalid'],
  }),
  try: post('/console-api/v1/application-forms/{code}/try', {
    summary: 'Get the approvers an application of a member would have, without creating one',
    ...operator,
    params,
    body: T.Object({ username: Username, data: FormData }),
    reply: T.Array(
      T.Object({
        step: T.String(),
        applies: T.Boolean({ description: 'the conditions of the step hold' }),
        approvers: T.Array(T.String(), { description: 'usernames' }),
      }),
    ),
    errors: ['request.invalid', 'application.form_not_found'],
  }),
  remove: del('/console-api/v1/application-forms/{code}', {
    summary: 'Delete a form that was never used',
    ...operator,
    params,
    reply: T.Null(),
    errors: ['application.form_not_found', 'application.form_used'],
  }),
}
