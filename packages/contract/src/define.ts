import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint. `public`: anybody, the caller is not identified. `guest`: anybody, the answer depends on
 * the caller. `member`: a signed-in member. `operator`: a member with an operator role. `integration`: another system,
 * by its own key.
 */
export type Access = 'public' | 'guest' | 'member' | 'operator' | 'integration'

/**
 * Permissions of operators. `content`: news and start-up content for members. `services`: the service hub. `messages`:
 * message applications and tasks. `send`: sending messages to members. `identity`: members, organisations, groups,
 * operators. `system`: configuration and tabs.
 */
export const permissions = [
  'content',
  'services',
  'messages',
  'send',
  'identity',
  'system',
] as const
export type Permission = (typeof permissions)[number]

/** What a cached answer depends on: a version counter, incremented in the transaction that changes the data. */
export type Topic =
  | 'audience'
  | 'config'
  | 'directory'
  | 'services'
  | 'news'
  | 'notices'
  | 'letters'
  | 'people'
  | 'feedback'
  | 'places'
  | 'knowledge'
  | 'schedule'
  | 'launch'
  | 'registry'

export type EndpointSpec = {
  /** One line for the API reference. */
  summary: string
  /** Details for the API reference, in full sentences. */
  description?: string
  params?: TObject
  query?: TObject
  body?: TSchema
  /** Schema of `data` in the envelope, or of the whole body if `media` is set. */
  reply: TSchema
  errors?: readonly ErrorCode[]
  /** The answer is identical for one audience class until one of these topics changes; it is cached as text. */
  cached?: readonly Topic[]
  /** The handler caches each member's encoded answer itself and returns it. */
  preEncoded?: true
  /** Old callers send body fields in the query: both are accepted, the body takes precedence. */
  bodyOrQuery?: true
  /** The handler validates each part of the body separately, so that one invalid part does not reject the others. */
  bodyByParts?: true
  /** maximum body size in bytes, where larger than the default */
  largest?: number
  /** The form field (multipart/form-data) with the endpoint's only file; the handler reads it as a stream. */
  file?: string
  /** Content type of an answer outside the envelope. */
  media?:
    | 'text/plain'
    | 'text/html'
    | 'application/json'
    | 'application/xml'
    | 'application/octet-stream'
    | 'text/calendar'
    | 'text/csv'
    | 'text/event-stream'
} & (
  | {
      access: 'operator'
      permission: Permission
      /** Also open to operators of a department: the handler calls `mayOperate` for each item it shows or changes. */
      delegated?: true
    }
  | { access: Exclude<Access, 'operator'>; permission?: never; delegated?: never }
)
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Endpoint<S extends EndpointSpec = EndpointSpec> = S & { method: Method; path: string }
export type EndpointTable = Record<string, Endpoint>

const define =
  <M extends Method>(method: M) =>
  <const S extends EndpointSpec>(path: string, spec: S) => ({ method, path, ...spec })

export const get = define('GET')
export const post = define('POST')
export const put = define('PUT')
export const del = define('DELETE')

type Shape<S> = S extends TSchema ? Static<S> : Record<string, never>
export type Params<E extends EndpointSpec> = Shape<E['params']>
export type Query<E extends EndpointSpec> = Shape<E['query']>
export type Body<E extends EndpointSpec> = Shape<E['body']>
export type Reply<E extends EndpointSpec> = Static<E['reply']>

/** The input of a call: the parts the endpoint declares; a part whose fields are all optional may be omitted. */
export type Input<E extends EndpointSpec> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>
type Part<K extends string, S> = S extends TSchema
  ? Record<string, never> extends Static<S>
    ? { [key in K]?: Static<S> }
    : { [key in K]: Static<S> }
  : unknown

/** The body of an answer with HTTP status 2xx. */
export type Envelope<T> = { code: 0; message: string; data: T }
/** The body of any other answer. `code` is the HTTP status, `message` is in the caller's language. */
export type ErrorEnvelope = {
  code: number
  error: ErrorCode
  message: string
  data: null
  requestId: string
  fields?: Record<string, string>
}

// ---- schemas shared by every area ----

/** Valid header value: visible ASCII, no leading or trailing spaces. */
export const sendable = '^([!-~]([ -~]*[!-~])?)?$'
/**
 * A write-only secret, excluded from the audit log. Most are sent in a header, so values that a header cannot carry are
 * refused when they are saved rather than when they are used.
 */
export const Secret = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, format: 'password', pattern: sendable })
/** A secret that is never sent in a header, such as a directory password. */
export const SecretText = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, format: 'password' })

/** Maximum length of a username: guest accounts in Entra ID have up to 113 characters. */
export const usernameMax = 128
export const Username = Type.String({ minLength: 1, maxLength: usernameMax })

/** An opaque key: digits at present, but callers must not rely on that. */
export const Id = Type.String({ pattern: '^[0-9]{1,18}$', description: 'opaque id' })
/** Restricts an operator's view to one department and its sub-departments. */
export const department = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'code of an organisation: only it and the organisations below it',
  }),
)
/** ISO 8601 in UTC, with milliseconds and Z. */
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
export const Flag = Type.Union([Type.Literal('0'), Type.Literal('1')])
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One string of a fixed set, as one readable `enum` in the reference. */
export const OneOf = <const V extends readonly string[]>(
  values: V,
  about: { default?: NoInfer<V>[number]; description?: string } = {},
) => Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...about })

/** A list with a total. `pageSize` is accepted up to 9999 but served at most 200 per page; `total` is exact. */
export const Page = <S extends TSchema>(item: S) =>
  Type.Object({
    list: Type.Array(item),
    total: Type.Integer(),
    pageNo: Type.Integer(),
    pageSize: Type.Integer(),
  })
export const pageQuery = {
  pageNo: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, default: 20 })),
}
/** A cursor-paged list; `nextCursor` is null on the last page. */
export const CursorPage = <S extends TSchema>(item: S) =>
  Type.Object({ list: Type.Array(item), nextCursor: Nullable(Type.String()) })
export const cursorQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, default: 20 })),
}

/** A drawn icon: `glyph` is a name in the icon sheet, `tone` one of six colour pairs. */
export const Icon = Type.Object({
  glyph: Type.String(),
  tone: OneOf(['blue', 'orange', 'green', 'violet', 'amber', 'teal']),
})
export type Icon = Static<typeof Icon>

export type { Static }
export { Type as T }
