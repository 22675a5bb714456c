import { del, get, Icon, Id, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'

const text = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '\\S' })
const optional = (maxLength: number) => T.String({ maxLength, default: '' })
const length = (maximum: number) => T.Optional(T.Integer({ minimum: 0, maximum }))
const fieldName = '^[A-Za-z][A-Za-z0-9_]{0,39}$'

const titles = { title: text(60), titleEn: optional(60) }
/** A single-valued field: a text, a number, a date or one of several choices. */
const value = {
  ...titles,
  description: optional(200),
  descriptionEn: optional(200),
  minLength: length(2000),
  maxLength: length(2000),
  minimum: T.Optional(T.Number()),
  maximum: T.Optional(T.Number()),
  oneOf: T.Optional(
    T.Array(T.Object({ const: text(60), ...titles }), {
      minItems: 1,
      maxItems: 50,
      description: 'choices of a string',
    }),
  ),
}

/** A column of a table. */
const FormColumn = T.Object(
  {
    type: OneOf(['string', 'number', 'integer']),
    format: T.Optional(OneOf(['date'])),
    ...value,
  },
  { $id: 'FormColumn' },
)
export type FormColumn = Static<typeof FormColumn>

/** A field in JSON Schema terms: files are an array of strings with format `file`, a table is an array of objects. */
export const FormProperty = T.Object(
  {
    type: OneOf(['string', 'number', 'integer', 'array']),
    format: T.Optional(OneOf(['date', 'textarea', 'person'])),
    ...value,
    minItems: length(50),
    maxItems: length(50),
    items: T.Optional(
      T.Object({
        type: OneOf(['string', 'object']),
        format: T.Optional(OneOf(['file'])),
        properties: T.Optional(T.Record(T.String({ pattern: fieldName }), FormColumn)),
        required: T.Optional(T.Array(T.String(), { maxItems: 20 })),
      }),
    ),
  },
  { $id: 'FormProperty' },
)
export type FormProperty = Static<typeof FormProperty>

/** The form of an application: the subset of JSON Schema that one component can render. */
export const FormSchema = T.Object(
  {
    type: OneOf(['object']),
    properties: T.Record(T.String({ pattern: fieldName }), FormProperty),
    required: T.Array(T.String(), { maxItems: 60, default: [] }),
  },
  { $id: 'FormSchema' },
)
export type FormSchema = Static<typeof FormSchema>

/** The submitted values: texts and numbers, accounts by username, files by id, table rows. */
export const FormData = T.Record(T.String({ pattern: fieldName }), T.Unknown())
export type FormData = Record<string, unknown>

export const applicationStatuses = ['draft', 'progress', 'returned', 'finish', 'break'] as const

const about = {
  code: T.String(),
  name: T.String(),
  nameEn: T.String(),
  summary: T.String(),
  summaryEn: T.String(),
  icon: Icon,
  organization: T.String({ description: 'department that offers it' }),
  organizationEn: T.String(),
}
export const ApplicationOffer = T.Object(about, { $id: 'ApplicationOffer' })
export type ApplicationOffer = Static<typeof ApplicationOffer>

export const ApplicationBlank = T.Object(
  {
    ...about,
    version: T.Integer({ description: 'to be returned on submission' }),
    schema: FormSchema,
    steps: T.Array(T.Object({ name: T.String(), nameEn: T.String() }), {
      description: 'approval steps, in order; some apply only under conditions',
    }),
  },
  { $id: 'ApplicationBlank' },
)
export type ApplicationBlank = Static<typeof ApplicationBlank>

export const Application = T.Object(
  {
    id: Id,
    blank: ApplicationBlank,
    status: OneOf(applicationStatuses),
    data: FormData,
    people: T.Record(T.String(), T.String(), { description: 'names of the accounts in `data`' }),
    files: T.Array(T.Object({ id: Id, name: T.String(), url: T.String() })),
    comment: T.String({ description: 'reason of the return, or empty' }),
    hasChanged: T.Boolean({ description: 'the form has changed since the draft was saved' }),
    mayWithdraw: T.Boolean(),
    submittedAt: Nullable(Time),
  },
  { $id: 'Application' },
)
export type Application = Static<typeof Application>

export const ApplicationLine = T.Object(
  {
    id: Id,
    title: T.String(),
    titleEn: T.String(),
    icon: Icon,
    status: OneOf(applicationStatuses),
    at: Time,
  },
  { $id: 'ApplicationLine' },
)
export type ApplicationLine = Static<typeof ApplicationLine>

const params = T.Object({ id: Id })
const base = '/transaction/api/v1/applications'

/** Applications that members submit in the portal itself. */
export const applications = {
  list: get(base, {
    summary:
      "List the forms available to the member, and the member's undecided applications, newest first",
    access: 'member',
    reply: T.Object({
      forms: T.Array(ApplicationOffer),
      open: T.Array(ApplicationLine, { description: 'at most 20' }),
    }),
  }),
  blank: get('/transaction/api/v1/applicationForms/{code}', {
    summary: 'Get the form of an application',
    access: 'member',
    params: T.Object({ code: T.String({ maxLength: 60 }) }),
    reply: ApplicationBlank,
    errors: ['application.form_not_found'],
  }),
  save: post(base, {
    summary:
      'Submit an application or save it as a draft; a repeated `key` refers to the same application',
    access: 'member',
    body: T.Object({
      key: T.String({
        minLength: 8,
        maxLength: 60,
        description: 'idempotency key chosen by the client',
      }),
      code: T.String({ maxLength: 60 }),
      version: T.Integer({ minimum: 1, description: 'version of the form that was filled in' }),
      data: FormData,
      submit: T.Boolean({ description: 'false: save as a draft' }),
    }),
    reply: Application,
    errors: [
      'request.invalid',
      'application.form_not_found',
      'application.form_changed',
      'application.too_many',
      'application.over',
    ],
  }),
  read: get(`${base}/{id}`, {
    summary: "Get one of the member's applications",
    access: 'member',
    params,
    reply: Application,
    errors: ['application.not_found'],
  }),
  update: post(`${base}/{id}`, {
    summary: 'Change a draft or a returned application, and submit it',
    access: 'member',
    params,
    body: T.Object({
      version: T.Integer({ minimum: 1 }),
      data: FormData,
      submit: T.Boolean(),
    }),
    reply: Application,
    errors: [
      'request.invalid',
      'application.not_found',
      'application.form_not_found',
      'application.form_changed',
      'application.over',
    ],
  }),
  withdraw: post(`${base}/{id}/withdraw`, {
    summary: 'Withdraw an application that is not decided yet',
    access: 'member',
    params,
    reply: Application,
    errors: ['application.not_found', 'application.over'],
  }),
  remove: del(`${base}/{id}`, {
    summary: 'Delete a draft',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['application.not_found', 'application.over'],
  }),
}
