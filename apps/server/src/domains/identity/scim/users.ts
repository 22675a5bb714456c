import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import SCIMMY from 'scimmy'
import { revokeAccounts } from '#domains/identity/identity/queries.ts'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import { type Db, sqlState } from '#platform/database/db.ts'
import { announce, announcePerson } from '#platform/database/topics.ts'
import type { ScimClient } from './clients.ts'
import {
  enterprise,
  type PushedUser,
  parseUser,
  preferredValue,
  readOperations,
  resolveUserFields,
  toStoredResource,
  type UserFields,
} from './pushed-user.ts'
import { notFound, ScimError } from './scim-error.ts'

const { EnterpriseUser, User } = SCIMMY.Schemas
User.extend(EnterpriseUser as never)
export type Resource = Record<string, unknown> & { id: string }

// ---- reading ----

const selectUsers = (db: Db, clientId: string) =>
  db
    .selectFrom('scim_user')
    .innerJoin('account', 'account.id', 'scim_user.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.id',
      'account.username',
      'account.status',
      'account.person_id as personId',
      'person.name',
      'scim_user.external_id as externalId',
      sql<PushedUser>`scim_user.resource`.as('resource'),
      'scim_user.created_at as createdAt',
      'scim_user.updated_at as updatedAt',
    ])
    .select((query) =>
      query
        .selectFrom('group_member')
        .innerJoin('scim_group', 'scim_group.group_id', 'group_member.group_id')
        .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
        .whereRef('group_member.account_id', '=', 'account.id')
        .where('scim_group.client_id', '=', clientId)
        .select(
          sql<
            { value: string; display: string }[] | null
          >`jsonb_agg(jsonb_build_object('value', member_group.id::text, 'display', member_group.name) order by member_group.id)`.as(
            'list',
          ),
        )
        .as('groups'),
    )
    .where('scim_user.client_id', '=', clientId)
    .where('scim_user.deleted_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

/** The resource returned to a client: as pushed, with current values from the portal. */
function toResource(row: Row, baseUrl: string): Resource {
  const resource = {
    ...row.resource,
    schemas: row.resource[enterprise] ? [User.id, enterprise] : [User.id],
    id: row.id,
    ...(row.externalId && { externalId: row.externalId }),
    userName: row.username,
    displayName: row.name,
    active: row.status !== 'disabled',
    ...(row.groups && { groups: row.groups }),
  }
  return withMeta(resource, 'User', `${baseUrl}/Users/${row.id}`, row)
}

export function withMeta(
  resource: Record<string, unknown> & { id: string },
  resourceType: string,
  location: string,
  { createdAt, updatedAt }: { createdAt: string; updatedAt: string },
): Resource {
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64url')
  return {
    ...resource,
    meta: {
      resourceType,
      created: createdAt,
      lastModified: updatedAt,
      location,
      version: `W/"${digest.slice(0, 20)}"`,
    },
  }
}

export const versionOf = ({ meta }: Resource) => (meta as { version: string }).version

const isId = (id: string) => /^\d{1,18}$/.test(id)

/** @throws ScimError if missing or provisioned by another client */
export async function getUser(db: Db, client: ScimClient, id: string, baseUrl: string) {
  const row = isId(id)
    ? await selectUsers(db, client.id).where('account.id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound()
  return toResource(row, baseUrl)
}

export type ListOrder = {
  condition: RawBuilder<boolean> | undefined
  offset: number
  count: number
}

export async function listUsers(db: Db, client: ScimClient, order: ListOrder, baseUrl: string) {
  const { condition, offset, count } = order
  const query = selectUsers(db, client.id).$if(condition !== undefined, (query) =>
    query.where(condition as RawBuilder<boolean>),
  )
  const { total } = await query
    .clearSelect()
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0 ? [] : await query.orderBy('account.id').offset(offset).limit(count).execute()
  return { total, list: rows.map((row) => toResource(row, baseUrl)) }
}

// ---- writing ----

/** Serialises changes of a resource; its version is checked under the lock. */
export const lockUser = async (db: Db, client: ScimClient, id: string) => {
  if (!isId(id)) throw notFound()
  await db
    .selectFrom('scim_user')
    .select('account_id')
    .where('client_id', '=', client.id)
    .where('account_id', '=', id)
    .forUpdate()
    .execute()
}

export async function createUser(db: Db, client: ScimClient, body: unknown, baseUrl: string) {
  const pushed = parseUser(body)
  const fields = await resolveUserFields(db, client, pushed)
  const existing = await findReusableAccount(db, client, fields)
  const id = existing?.id ?? (await insertAccount(db, fields))
  await db
    .insertInto('scim_user')
    .values({
      client_id: client.id,
      account_id: id,
      external_id: fields.externalId,
      resource: JSON.stringify(toStoredResource(pushed)),
    })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ deleted_at: null, created_at: sql`now()`, external_id: fields.externalId }),
    )
    .execute()
  await write(db, client, id, fields, pushed, existing ? 'taken' : 'new')
  return getUser(db, client, id, baseUrl)
}

export async function replaceUser(
  db: Db,
  client: ScimClient,
  id: string,
  body: unknown,
  baseUrl: string,
) {
  const pushed = parseUser(body)
  const requestedId = (body as { id?: unknown }).id
  if (requestedId !== undefined && requestedId !== id)
    throw new ScimError(400, 'mutability', 'The id of a resource cannot be changed.')
  await write(db, client, id, await resolveUserFields(db, client, pushed), pushed, 'known')
  return getUser(db, client, id, baseUrl)
}

/** @param resource its current state */
export async function patchUser(
  db: Db,
  client: ScimClient,
  resource: Resource,
  body: unknown,
  baseUrl: string,
) {
  const operations = readOperations(body)
  const { groups: _, meta: __, ...rest } = resource
  const patched = await new SCIMMY.Messages.PatchOp({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  } as never).apply(new User(rest as never))
  if (patched === undefined) return resource
  const pushed = parseUser(JSON.parse(JSON.stringify(patched)))
  await write(db, client, resource.id, await resolveUserFields(db, client, pushed), pushed, 'known')
  return getUser(db, client, resource.id, baseUrl)
}

/** Deletes the user for the client. The account is disabled but kept, because retained records refer to it. */
export async function deleteUser(db: Db, client: ScimClient, id: string) {
  await db
    .updateTable('scim_user')
    .set({
      deleted_at: sql`now()`,
      // An account disabled by an operator stays disabled when the client creates it again.
      disabled_by_client: sql<boolean>`disabled_by_client or exists (select from account where account.id = account_id and status <> 'disabled')`,
    })
    .where('client_id', '=', client.id)
    .where('account_id', '=', id)
    .execute()
  const { personId } = await setStatus(db, id, 'disabled')
  await endSessions(db, id, personId)
}

const usernameTaken = (username: string) =>
  new ScimError(409, 'uniqueness', `A user ${username} already exists.`)

/** Finds an account with this username that may be this user: deleted by this client, or eligible for takeover. */
async function findReusableAccount(
  db: Db,
  client: ScimClient,
  { username, externalId }: UserFields,
) {
  const { rows } = await sql<{
    id: string
    clientId: string | null
    deleted: boolean
    externalId: string | null
    free: boolean
  }>`
    select account.id, scim_user.client_id as "clientId", scim_user.deleted_at is not null as deleted, scim_user.external_id as "externalId",
           not exists (select from directory_entry where account_id = account.id)
             and not exists (select from operator_grant g join account own on own.id = g.account_id where own.person_id = account.person_id) as free
    from account left join scim_user on scim_user.account_id = account.id
    where account.username = ${username} for update of account`.execute(db)
  const [account] = rows
  if (!account) return undefined
  if (account.clientId === null) {
    if (client.settings.takeOver === 'members' && account.free) return account
    throw usernameTaken(username)
  }
  // A different external id means the username was reassigned to somebody else.
  const isSamePerson = !account.externalId || !externalId || account.externalId === externalId
  if (account.clientId === client.id && account.deleted && isSamePerson) return account
  throw usernameTaken(username)
}

async function insertAccount(db: Db, fields: UserFields): Promise<string> {
  const { id: personId } = await db
    .insertInto('person')
    .values({ name: fields.name, email: fields.email, mobile: fields.mobile })
    .returning('id')
    .executeTakeFirstOrThrow()
  try {
    const { id } = await db
      .insertInto('account')
      .values({
        person_id: personId,
        username: fields.username,
        identity_type_code: fields.identity,
        organization_id: fields.organizationId,
        status: 'inactive',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw sqlState(error) === '23505' ? usernameTaken(fields.username) : error
  }
}

/** Updates account and person to the pushed values. */
async function write(
  db: Db,
  client: ScimClient,
  id: string,
  fields: UserFields,
  pushed: PushedUser,
  origin: 'new' | 'taken' | 'known',
) {
  const before = await db
    .selectFrom('scim_user')
    .innerJoin('account', 'account.id', 'scim_user.account_id')
    .select([
      'account.person_id as personId',
      'account.status',
      'scim_user.disabled_by_client as byClient',
      sql<PushedUser>`scim_user.resource`.as('resource'),
    ])
    .where('scim_user.account_id', '=', id)
    .where('scim_user.client_id', '=', client.id)
    .executeTakeFirst()
  if (!before) throw notFound()
  // A contact changed in the portal stays until the client pushes a different one.
  const previous = origin === 'known' ? before.resource : {}
  const email = preferredValue(previous.emails, 'work') === fields.email ? undefined : fields.email
  const mobile =
    preferredValue(previous.phoneNumbers, 'mobile') === fields.mobile ? undefined : fields.mobile
  const { personId } = before
  await db
    .updateTable('person')
    .set({
      name: fields.name,
      ...(email !== undefined && {
        email,
        email_verified_at: sql`case when email = ${email} then email_verified_at end`,
      }),
      ...(mobile !== undefined && {
        mobile,
        mobile_verified_at: sql`case when mobile = ${mobile} then mobile_verified_at end`,
      }),
    })
    .where('id', '=', personId)
    .execute()
  try {
    await db
      .updateTable('account')
      .set({
        username: fields.username,
        identity_type_code: fields.identity,
        organization_id: fields.organizationId,
      })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw sqlState(error) === '23505' ? usernameTaken(fields.username) : error
  }
  const wasActive = before.status !== 'disabled'
  if (!fields.active && wasActive) {
    await setStatus(db, id, 'disabled')
    await endSessions(db, id, personId)
  }
  // Accounts disabled by an operator stay disabled.
  const reenables = fields.active && !wasActive && before.byClient
  if (reenables) await setStatus(db, id, 'enabled')
  await db
    .updateTable('scim_user')
    .set({
      external_id: fields.externalId,
      resource: JSON.stringify(toStoredResource(pushed)),
      disabled_by_client: fields.active ? false : wasActive || before.byClient,
      updated_at: sql`now()`,
    })
    .where('account_id', '=', id)
    .execute()
  await announcePerson(db, personId)
}

/** A re-enabled account without a password needs activation. */
const setStatus = (db: Db, id: string, status: 'disabled' | 'enabled') =>
  db
    .updateTable('account')
    .set({
      status:
        status === 'disabled'
          ? 'disabled'
          : sql<string>`case when exists (select from person where person.id = account.person_id and password_hash is not null)
                        then 'active' else 'inactive' end`,
    })
    .where('id', '=', id)
    .returning('person_id as personId')
    .executeTakeFirstOrThrow()

async function endSessions(db: Db, accountId: string, personId: string) {
  const otherAccounts = await db
    .selectFrom('account')
    .select('id')
    .where('person_id', '=', personId)
    .where('id', '<>', accountId)
    .where('status', '<>', 'disabled')
    .execute()
  // If the person has another active account, its sessions continue.
  if (otherAccounts.length === 0) await revokePerson(db, personId, { reason: 'operator' })
  else await revokeAccounts(db, sql`${accountId}::bigint`)
  await announce(db, { kind: 'account', key: accountId })
}
