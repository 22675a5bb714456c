import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint. `public`: anybody, the caller is not looked at. `guest`: anybody, answers depend on who calls.
 * `member`: a signed-in member. `operator`: a member with an operator role. `integration`: another system, by its own key.
 */
export type Access = 'public' | 'guest' | 'member' | 'operator' | 'integration'

/**
 * What an operator may be allowed to do. `content`: what members read and see at the start. `services`: the service hub.
 * `messages`: message applications and tasks. `send`: messages of one's own to members. `identity`: members, organisations,
 * groups, operators. `system`: configuration and tabs.
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

/** What a cached answer depends on: a version counter that is raised in the transaction that changes it. */
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
  params?: TObject
  query?: TObject
  body?: TSchema
  /** The shape of `data` in the envelope, or of the bare body when `media` is set. */
  reply: TSchema
  errors?: readonly ErrorCode[]
  /** The answer is the same for everybody in one audience class until one of these topics changes: it is cached as text. */
  cached?: readonly Topic[]
  /** The handler keeps the encoded answer of each member by itself and hands that over. */
  keptEncoded?: true
  /** Old callers send the fields of the body in the query: both are read, the body wins. */
  bodyOrQuery?: true
  /** The handler checks the body part by part, so that one bad part does not take the others along. */
  bodyByParts?: true
  /** bytes a body may have here, where that is more than usual */
  largest?: number
  /** The field of a form (multipart/form-data) that holds the one file the endpoint takes; the handler reads it as it comes. */
  file?: string
  /** Set for answers that are not in the envelope. */
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
      /** Open to operators of a part of the institution too: the handler asks `mayOperate` for each thing it shows or changes. */
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

/** What a caller hands in: the parts the endpoint has, and a part whose fields are all optional may be left out. */
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

// ---- shapes every area uses ----

/** What a header can hold: visible ASCII, without spaces at its ends. */
export const sendable = '^([!-~]([ -~]*[!-~])?)?$'
/**
 * What nobody may read afterwards: kept out of the audit log. Most of these travel in a header, which holds visible ASCII alone: what
 * cannot be sent is refused when it is written, and not when it is needed.
 */
export const Secret = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, format: 'password', pattern: sendable })
/** The same for what is never sent in a header, such as the password of a directory. */
export const SecretText = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, format: 'password' })

/** An opaque key. It is digits today; callers must not rely on it. */
/** Characters of a username at most: those of guests in Entra ID have up to 113. */
export const usernameMax = 128
export const Username = Type.String({ minLength: 1, maxLength: usernameMax })

export const Id = Type.String({ pattern: '^[0-9]{1,18}$', description: 'opaque key' })
/** Narrows what an operator is shown to one department and what is below it. */
export const department = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'code of an organisation: of it and of all below it alone',
  }),
)
/** ISO 8601 in UTC, with milliseconds and Z. */
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
export const Flag = Type.Union([Type.Literal('0'), Type.Literal('1')])
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A string of a fixed set, as one readable `enum` in the reference. */
export const OneOf = <const V extends readonly string[]>(
  values: V,
  about: { default?: NoInfer<V>[number]; description?: string } = {},
) => Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...about })

/** A list that is counted. `pageSize` up to 9999 is accepted and served in at most 200 a page; `total` stays true. */
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
/** A list that can be long: `nextCursor` is null on the last page. */
export const CursorPage = <S extends TSchema>(item: S) =>
  Type.Object({ list: Type.Array(item), nextCursor: Nullable(Type.String()) })
export const cursorQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, default: 20 })),
}

/** A drawn icon: `glyph` is a name in the icon sheet, `tone` one of the six colour pairs. */
export const Icon = Type.Object({
  glyph: Type.String(),
  tone: OneOf(['blue', 'orange', 'green', 'violet', 'amber', 'teal']),
})
export type Icon = Static<typeof Icon>

export type { Static }
export { Type as T }
