import { sql } from 'kysely'
import SCIMMY from 'scimmy'
import { memberFields } from '#domains/identity/members/member-fields.ts'
import type { Db } from '#platform/database/db.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import type { ScimClient } from './clients.ts'
import { invalid, ScimError } from './scim-error.ts'

const { EnterpriseUser, User } = SCIMMY.Schemas
/** Id of the enterprise user schema. */
export const enterprise = EnterpriseUser.id

/** A pushed user resource; attributes not listed here are stored unchanged. */
export type PushedUser = {
  userName?: string
  externalId?: string
  displayName?: string
  name?: { formatted?: string; familyName?: string; givenName?: string }
  active?: boolean
  userType?: string
  emails?: Valued[]
  phoneNumbers?: Valued[]
  [enterprise: string]: unknown
}
type Valued = { value?: string; type?: string; primary?: boolean }

const maxResource = 64_000

export type Operation = { op: string; path?: string; value?: unknown }

const maxOperations = 1000
/** Limit for paths: scimmy expands their filters combinatorially. */
const maxPath = 200

export function readOperations(body: unknown): Operation[] {
  const { schemas, Operations: operations } = (body ?? {}) as {
    schemas?: unknown
    Operations?: unknown
  }
  if (!Array.isArray(schemas) || !schemas.includes('urn:ietf:params:scim:api:messages:2.0:PatchOp'))
    throw new ScimError(400, 'invalidSyntax', 'The body is not a PatchOp.')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > maxOperations)
    throw invalid(`Operations must have 1 to ${maxOperations} operations.`)
  return operations.map((operation: unknown) => {
    const { op, path, value } = (operation ?? {}) as Record<string, unknown>
    if (typeof op !== 'string' || !/^(add|replace|remove)$/i.test(op))
      throw new ScimError(400, 'invalidSyntax', 'op must be add, replace or remove.')
    if (path !== undefined && (typeof path !== 'string' || path.length > maxPath))
      throw new ScimError(400, 'invalidPath', 'The path is too long or not a text.')
    return {
      op: op.toLowerCase(),
      ...(path !== undefined && { path: path as string }),
      ...(value !== undefined && { value: flagsOf(path as string | undefined, value) }),
    }
  })
}

/** Some clients send booleans as the strings True and False. */
function flagsOf(path: string | undefined, value: unknown): unknown {
  const flag = (one: unknown) =>
    typeof one === 'string' && /^(true|false)$/i.test(one) ? one.toLowerCase() === 'true' : one
  if (path?.toLowerCase() === 'active') return flag(value)
  if (typeof value !== 'object' || value === null || !('active' in value)) return value
  return { ...value, active: flag(value.active) }
}

/** Reads the attributes of a body that the schema defines. @throws ScimError */
export function parseUser(body: unknown): PushedUser {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimError(400, 'invalidSyntax', 'The resource must be an object.')
  const resource = flagsOf(undefined, body) as Record<string, unknown>
  const { id: _, meta: __, groups: ___, ...rest } = resource
  try {
    return JSON.parse(
      JSON.stringify(new User({ ...rest, schemas: resource.schemas ?? [User.id] } as never)),
    )
  } catch (error) {
    throw error instanceof TypeError ? invalid(error.message) : error
  }
}

/**
 * The part of the resource stored as JSON: without attributes stored in columns, and without a password, which is never
 * accepted.
 */
export function toStoredResource(pushed: PushedUser) {
  const {
    schemas: _,
    id: __,
    meta: ___,
    userName: ____,
    externalId: _____,
    active: ______,
    password: _______,
    groups: ________,
    ...rest
  } = pushed
  if (JSON.stringify(rest).length > maxResource)
    throw new ScimError(413, undefined, 'The resource is too large.')
  return rest
}

export type UserFields = {
  username: string
  name: string
  email: string
  mobile: string
  active: boolean
  externalId: string
  identity: string
  organizationId: string
}

export async function resolveUserFields(
  db: Db,
  client: ScimClient,
  pushed: PushedUser,
): Promise<UserFields> {
  const { identities, identityElse, organizationElse } = client.settings
  const { department, organization } = (pushed[enterprise] ?? {}) as Record<string, string>
  const name =
    pushed.displayName ||
    pushed.name?.formatted ||
    fullName(pushed.name?.familyName ?? '', pushed.name?.givenName ?? '') ||
    pushed.userName ||
    ''
  const { rows } = await sql<{ id: string }>`
    select o.id from unnest(${[department ?? '', organization ?? '', organizationElse]}::text[]) with ordinality as wanted (word, at)
    join organization o on wanted.word <> '' and (o.code = wanted.word or o.name = wanted.word or o.name_en = wanted.word)
    order by wanted.at, o.code = wanted.word desc, o.id limit 1`.execute(db)
  const organizationId = rows[0]?.id
  if (!organizationId) throw invalid(`The organisation ${organizationElse} no longer exists.`)
  const read = <T>(what: string, reader: (cell: string) => T, text: string): T => {
    try {
      if (text.includes('\0')) throw new RowIssue('contains a NUL character')
      return reader(text.trim().normalize('NFC'))
    } catch (error) {
      throw error instanceof RowIssue ? invalid(`${what} ${error.message}.`) : error
    }
  }
  const externalId = String(pushed.externalId ?? '')
  if (externalId.length > 200 || externalId.includes('\0'))
    throw invalid('externalId is longer than 200 characters.')
  return {
    username: read('userName', memberFields.username.read, pushed.userName ?? ''),
    name: read('displayName', memberFields.name.read, name),
    email: read('emails', memberFields.email.read, preferredValue(pushed.emails, 'work')),
    mobile: read(
      'phoneNumbers',
      memberFields.mobile.read,
      preferredValue(pushed.phoneNumbers, 'mobile'),
    ),
    active: pushed.active ?? true,
    externalId,
    identity: identities[pushed.userType ?? ''] ?? identityElse,
    organizationId,
  }
}

/** Chinese order without a space for Chinese names, otherwise given name first. */
const fullName = (family: string, given: string) =>
  /^[\p{Script=Han}]+$/u.test(family + given) ? `${family}${given}` : `${given} ${family}`.trim()

export function preferredValue(list: Valued[] | undefined, type: string): string {
  const values = (list ?? []).filter(({ value }) => value)
  const [first] = [
    ...values.filter(({ primary }) => primary),
    ...values.filter((one) => one.type === type),
    ...values,
  ]
  return first?.value ?? ''
}
