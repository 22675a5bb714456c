import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { ScimClient } from './clients.ts'
import type { Filterable } from './filter.ts'
import { type Operation, readOperations } from './pushed-user.ts'
import { invalid, notFound, ScimError } from './scim-error.ts'
import { type ListOrder, type Resource, withMeta } from './users.ts'

const schema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const maxMembers = 20_000

type Member = { value: string; display: string }
const membersOf = (clientId: string) => sql<Member[] | null>`(
  select jsonb_agg(jsonb_build_object('value', account.id::text, 'display', account.username) order by account.id)
  from group_member join scim_user on scim_user.account_id = group_member.account_id join account on account.id = group_member.account_id
  where group_member.group_id = member_group.id and scim_user.client_id = ${clientId} and scim_user.deleted_at is null)`

const selectGroups = (db: Db, clientId: string, withMembers: boolean) =>
  db
    .selectFrom('scim_group')
    .innerJoin('member_group', 'member_group.id', 'scim_group.group_id')
    .select([
      'member_group.id',
      'member_group.name',
      'scim_group.external_id as externalId',
      'scim_group.created_at as createdAt',
      'scim_group.updated_at as updatedAt',
    ])
    .select((withMembers ? membersOf(clientId) : sql<Member[] | null>`null`).as('members'))
    .where('scim_group.client_id', '=', clientId)

type Row = Awaited<ReturnType<ReturnType<typeof selectGroups>['executeTakeFirstOrThrow']>>

const toResource = ({ id, name, externalId, members, ...row }: Row, baseUrl: string): Resource =>
  withMeta(
    {
      schemas: [schema],
      id,
      ...(externalId && { externalId }),
      displayName: name,
      ...(members && { members: members.map((one) => ({ ...one, type: 'User' })) }),
    },
    'Group',
    `${baseUrl}/Groups/${id}`,
    row,
  )

const isId = (id: string) => /^\d{1,18}$/.test(id)

export async function getGroup(db: Db, client: ScimClient, id: string, baseUrl: string) {
  const row = isId(id)
    ? await selectGroups(db, client.id, true).where('member_group.id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound()
  return toResource(row, baseUrl)
}

const hasMember = (value: string) =>
  sql<boolean>`exists (
    select from group_member where group_member.group_id = member_group.id and group_member.account_id::text = ${value})`

const attributes: Filterable['attributes'] = {
  'meta.resourcetype': { kind: 'text', column: sql`'Group'` },
  id: { kind: 'text', column: sql`member_group.id::text`, exact: true },
  displayname: { kind: 'text', column: sql`member_group.name` },
  externalid: { kind: 'text', column: sql`scim_group.external_id`, exact: true },
  members: { kind: 'has', has: hasMember },
  'members.value': { kind: 'has', has: hasMember },
  'meta.created': { kind: 'time', column: sql`scim_group.created_at` },
  'meta.lastmodified': { kind: 'time', column: sql`scim_group.updated_at` },
}

/** Members can be filtered only by id. */
export const groupFilter: Filterable = {
  schema,
  attributes,
  lists: {
    members: sql`(select jsonb_agg(jsonb_build_object('value', of.account_id::text))
      from group_member of where of.group_id = member_group.id)`,
  },
}

export async function listGroups(
  db: Db,
  client: ScimClient,
  { condition, offset, count }: ListOrder,
  withMembers: boolean,
  baseUrl: string,
) {
  let query = selectGroups(db, client.id, withMembers)
  if (condition) query = query.where(condition)
  const { total } = await query
    .clearSelect()
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0 ? [] : await query.orderBy('member_group.id').offset(offset).limit(count).execute()
  return { total, list: rows.map((row) => toResource(row, baseUrl)) }
}

export const lockGroup = async (db: Db, client: ScimClient, id: string) => {
  if (!isId(id)) throw notFound()
  await db
    .selectFrom('scim_group')
    .select('group_id')
    .where('client_id', '=', client.id)
    .where('group_id', '=', id)
    .forUpdate()
    .execute()
}

type PushedGroup = { displayName: string; externalId: string; members: string[] | undefined }

function parseGroup(body: unknown): PushedGroup {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimError(400, 'invalidSyntax', 'The resource must be an object.')
  const { displayName, externalId, members } = body as Record<string, unknown>
  return {
    displayName: readName(displayName),
    externalId: readExternalId(externalId ?? ''),
    members: members === undefined ? undefined : readMembers(members),
  }
}

function readName(name: unknown): string {
  const text = typeof name === 'string' ? name.trim().normalize('NFC') : ''
  if (text === '' || [...text].length > 100 || text.includes('\0'))
    throw invalid('displayName must be a text of 1 to 100 characters.')
  return text
}

function readExternalId(id: unknown): string {
  if (typeof id !== 'string' || id.length > 200 || id.includes('\0'))
    throw invalid('externalId must be a text of at most 200 characters.')
  return id
}

/** Reads user ids. Nested groups are not supported. */
function readMembers(members: unknown): string[] {
  const list = Array.isArray(members) ? members : [members]
  if (list.length > maxMembers) throw invalid(`A group can have at most ${maxMembers} members.`)
  return list.map((member) => {
    const value =
      typeof member === 'object' && member !== null
        ? (member as Record<string, unknown>).value
        : member
    if (typeof value !== 'string' || !isId(value))
      throw invalid('Each member must be the id of a user.')
    return value
  })
}

export async function createGroup(db: Db, client: ScimClient, body: unknown, baseUrl: string) {
  const { displayName, externalId, members = [] } = parseGroup(body)
  const { id } = await db
    .insertInto('member_group')
    .values({ code: await findFreeCode(db, displayName), name: displayName, name_en: displayName })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('scim_group')
    .values({ client_id: client.id, group_id: id, external_id: externalId })
    .execute()
  await addMembers(db, client, id, members)
  return getGroup(db, client, id, baseUrl)
}

/** Derives a group code from the name, with a number if it is taken. */
async function findFreeCode(db: Db, name: string): Promise<string> {
  const sanitized = name.replaceAll(/[^\p{L}\p{N}._:-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '')
  const stem = [...sanitized].slice(0, 50).join('') || 'group'
  const { rows } = await sql<{ code: string }>`
    select code from member_group where code = ${stem} or starts_with(code, ${`${stem}-`})`.execute(
    db,
  )
  const used = new Set(rows.map(({ code }) => code))
  for (let number = 1; ; number++) {
    const code = number === 1 ? stem : `${stem}-${number}`
    if (!used.has(code)) return code
  }
}

export async function replaceGroup(
  db: Db,
  client: ScimClient,
  id: string,
  body: unknown,
  baseUrl: string,
) {
  await getGroup(db, client, id, baseUrl)
  const { displayName, externalId, members = [] } = parseGroup(body)
  await rename(db, id, { displayName, externalId })
  await removeMembers(db, client, id)
  await addMembers(db, client, id, members)
  return getGroup(db, client, id, baseUrl)
}

/** Operations are applied directly to the rows, because a group may have thousands of members. */
export async function patchGroup(
  db: Db,
  client: ScimClient,
  id: string,
  body: unknown,
  baseUrl: string,
) {
  await getGroup(db, client, id, baseUrl)
  for (const operation of readOperations(body)) await apply(db, client, id, operation)
  return getGroup(db, client, id, baseUrl)
}

async function apply(
  db: Db,
  client: ScimClient,
  id: string,
  { op, path, value }: Operation,
): Promise<void> {
  if (path === undefined) {
    if (op === 'remove' || typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ScimError(
        400,
        'noTarget',
        'Without a path, the value must be an object, and remove is not possible.',
      )
    for (const [name, part] of Object.entries(value))
      if (!['id', 'schemas', 'meta'].includes(name))
        await apply(db, client, id, { op, path: name, value: part })
    return
  }
  const name = path.replace(`${schema}:`, '').toLowerCase()
  const memberId = /^members\[\s*value\s+eq\s+"(\d{1,18})"\s*\]$/i.exec(path)?.[1]
  if (memberId && op === 'remove') return removeMembers(db, client, id, [memberId])
  if (name === 'members') {
    if (op === 'add') return addMembers(db, client, id, readMembers(value))
    if (op === 'remove')
      return removeMembers(db, client, id, value === undefined ? undefined : readMembers(value))
    const members = readMembers(value)
    await removeMembers(db, client, id)
    return addMembers(db, client, id, members)
  }
  if (name === 'displayname' && op !== 'remove')
    return rename(db, id, { displayName: readName(value) })
  if (name === 'externalid')
    return rename(db, id, { externalId: op === 'remove' ? '' : readExternalId(value) })
  throw new ScimError(400, 'invalidPath', `${path} cannot be changed this way.`)
}

async function rename(db: Db, id: string, { displayName, externalId }: Partial<PushedGroup>) {
  if (displayName !== undefined)
    await db
      .updateTable('member_group')
      .set({ name: displayName, name_en: displayName })
      .where('id', '=', id)
      .execute()
  await db
    .updateTable('scim_group')
    .set({ updated_at: sql`now()`, ...(externalId !== undefined && { external_id: externalId }) })
    .where('group_id', '=', id)
    .execute()
}

/** @throws ScimError if one is not a user of this client */
async function addMembers(db: Db, client: ScimClient, id: string, members: string[]) {
  const memberIds = [...new Set(members)]
  if (memberIds.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select account_id as id from scim_user
    where client_id = ${client.id} and deleted_at is null and account_id = any(${memberIds}::bigint[])`.execute(
    db,
  )
  if (rows.length < memberIds.length) {
    const existing = new Set(rows.map((row) => row.id))
    throw invalid(`User ${memberIds.find((one) => !existing.has(one))} does not exist.`)
  }
  await sql`
    insert into group_member (group_id, account_id) select ${id}::bigint, unnest(${memberIds}::bigint[])
    on conflict do nothing`.execute(db)
  await touch(db, id)
}

/** @param members omitted: all members provisioned by the client */
async function removeMembers(db: Db, client: ScimClient, id: string, members?: string[]) {
  await db
    .deleteFrom('group_member')
    .using('scim_user')
    .whereRef('scim_user.account_id', '=', 'group_member.account_id')
    .where('scim_user.client_id', '=', client.id)
    .where('group_member.group_id', '=', id)
    .$if(members !== undefined, (query) =>
      query.where(
        'group_member.account_id',
        '=',
        sql<string>`any(${members as string[]}::bigint[])`,
      ),
    )
    .execute()
  await touch(db, id)
}

async function touch(db: Db, id: string) {
  await rename(db, id, {})
  // Group membership affects visibility.
  await invalidate(db, 'directory')
}

/** Removes the client's members and the SCIM link; the group itself stays, as audiences may refer to it. */
export async function deleteGroup(db: Db, client: ScimClient, id: string) {
  await removeMembers(db, client, id)
  await db.deleteFrom('scim_group').where('group_id', '=', id).execute()
}
