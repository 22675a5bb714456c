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
      description: 'the choices of a string',
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
  organization: T.String({ description: 'the department that offers it' }),
  organizationEn: T.String(),
}
export const ApplicationOffer = T.Object(about, { $id: 'ApplicationOffer' })
export type ApplicationOffer = Static<typeof ApplicationOffer>

export const ApplicationBlank = T.Object(
  {
    ...about,
    version: T.Integer({ description: 'goes along when it is submitted' }),
    schema: FormSchema,
    steps: T.Array(T.Object({ name: T.String(), nameEn: T.String() }), {
      description: 'who decides, in order; some only under conditions',
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
    people: T.Record(T.String(), T.String(), { description: 'names of the accounts in it' }),
    files: T.Array(T.Object({ id: Id, name: T.String(), url: T.String() })),
    comment: T.String({ description: 'why it was returned, or empty' }),
    hasChanged: T.Boolean({ description: 'its form is another one since the draft was saved' }),
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
      'What the member may apply for, and what they have begun and is not decided, newest first',
    access: 'member',
    reply: T.Object({
      forms: T.Array(ApplicationOffer),
      open: T.Array(ApplicationLine, { description: '20 at most' }),
    }),
  }),
  blank: get('/transaction/api/v1/applicationForms/{code}', {
    summary: 'The form to apply for something',
    access: 'member',
    params: T.Object({ code: T.String({ maxLength: 60 }) }),
    reply: ApplicationBlank,
    errors: ['application.form_not_found'],
  }),
  save: post(base, {
    summary: 'Submit an application or keep it as a draft; the same key is the same application',
    access: 'member',
    body: T.Object({
      key: T.String({ minLength: 8, maxLength: 60, description: "the caller's own id of it" }),
      code: T.String({ maxLength: 60 }),
      version: T.Integer({ minimum: 1, description: 'of the form that was filled in' }),
      data: FormData,
      submit: T.Boolean({ description: 'false: it stays a draft' }),
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
    summary: 'One of the member’s own applications',
    access: 'member',
    params,
    reply: Application,
    errors: ['application.not_found'],
  }),
  update: post(`${base}/{id}`, {
    summary: 'Change a draft or what was returned, and submit it',
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
    summary: 'Take an application back that is not decided yet',
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
