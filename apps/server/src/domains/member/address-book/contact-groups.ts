import { maxContactGroups, maxGroupPeople } from '@atrium/contract/member/address-book'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { isInBook } from './access.ts'
import { nameSortKey } from './book.ts'

/**
 * The member's own groups, each with the number of its people listed in the address book.
 * @param accountName sets `holds` for groups containing this account
 */
export async function listContactGroups(platform: Platform, viewer: Member, accountName = '') {
  const { rows } = await sql<{ id: string; name: string; people: number; holds: boolean }>`
    select g.id::text, g.name, count(account.id)::integer as people,
      coalesce(bool_or(account.username = ${accountName.trim().toLowerCase()}), false) as holds
    from address_book_group g
    left join address_book_group_member part on part.group_id = g.id
    left join (account join organization on organization.id = account.organization_id)
      on account.id = part.member_account_id and ${await isInBook(platform)}
    where g.account_id = ${viewer.accountId}
    group by g.id order by g.name collate "zh-x-icu", g.id limit ${maxContactGroups}`.execute(
    platform.db,
  )
  return rows
}

/** The accounts of a group that are listed in the address book, by name. */
export async function listContactIds(platform: Platform, groupId: string) {
  const { rows } = await sql<{ id: string }>`
    select account.id::text from address_book_group_member part
    join account on account.id = part.member_account_id
    join person on person.id = account.person_id
    join organization on organization.id = account.organization_id
    where part.group_id = ${groupId} and ${await isInBook(platform)}
    order by ${nameSortKey}, account.id limit ${maxGroupPeople}`.execute(platform.db)
  return rows.map(({ id }) => id)
}

/** A group of the member's own; other members' groups count as missing. @throws address_book.group_not_found */
export async function getContactGroup(db: Db, viewer: Member, id: string) {
  const group = await db
    .selectFrom('address_book_group')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('account_id', '=', viewer.accountId)
    .executeTakeFirst()
  return group ?? fail('address_book.group_not_found')
}

/**
 * Serialises changes of a member's groups, so that concurrent calls cannot exceed a limit. Call it in a transaction.
 */
const lockGroups = (db: Db, { accountId }: Member) =>
  sql`select from account where id = ${accountId} for no key update`.execute(db)

/** @throws address_book.group_exists */
async function requireFreeName(
  db: Db,
  { accountId }: Member,
  name: string,
  exceptId: string | null,
) {
  const { rows } = await sql`
    select from address_book_group
    where account_id = ${accountId} and lower(name) = lower(${name}) and id is distinct from ${exceptId}`.execute(
    db,
  )
  if (rows.length > 0) fail('address_book.group_exists')
}

/** Call in a transaction. @throws address_book.group_exists, address_book.groups_full */
export async function insertContactGroup(db: Db, viewer: Member, name: string) {
  await lockGroups(db, viewer)
  await requireFreeName(db, viewer, name, null)
  const { count } = await db
    .selectFrom('address_book_group')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', viewer.accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxContactGroups) fail('address_book.groups_full')
  return db
    .insertInto('address_book_group')
    .values({ account_id: viewer.accountId, name })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Call in a transaction. @throws address_book.group_not_found, address_book.group_exists */
export async function renameContactGroup(db: Db, viewer: Member, id: string, name: string) {
  await lockGroups(db, viewer)
  await getContactGroup(db, viewer, id)
  await requireFreeName(db, viewer, name, id)
  await db.updateTable('address_book_group').set({ name }).where('id', '=', id).execute()
}

export const deleteContactGroup = (db: Db, { accountId }: Member, id: string) =>
  db
    .deleteFrom('address_book_group')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .execute()

/** Call in a transaction. @throws address_book.group_full */
export async function insertContact(db: Db, viewer: Member, groupId: string, memberId: string) {
  await lockGroups(db, viewer)
  await getContactGroup(db, viewer, groupId)
  const { rows } = await sql<{ people: number; holds: boolean }>`
    select count(*)::integer as people, coalesce(bool_or(member_account_id = ${memberId}), false) as holds
    from address_book_group_member where group_id = ${groupId}`.execute(db)
  if (rows[0]?.holds) return
  if ((rows[0]?.people ?? 0) >= maxGroupPeople) fail('address_book.group_full')
  await db
    .insertInto('address_book_group_member')
    .values({ group_id: groupId, member_account_id: memberId })
    .execute()
}

export const deleteContact = (db: Db, groupId: string, accountName: string) =>
  db
    .deleteFrom('address_book_group_member')
    .where('group_id', '=', groupId)
    .where('member_account_id', 'in', (query) =>
      query
        .selectFrom('account')
        .select('id')
        .where('username', '=', accountName.trim().toLowerCase()),
    )
    .execute()

/** SQL condition on `g`: the sender may use it, because it is their own or shared with one of their departments. */
export const isGroupUsable = (viewer: Member) => sql<boolean>`(g.account_id = ${viewer.accountId}
  or g.shared_organization_id in (select shared.id from organization shared
    join organization own on own.id = ${viewer.organizationId} where shared.code = any(own.path)))`

/** Adds people to a group. Call in a transaction. @returns the number of new ones @throws address_book.group_full */
export async function insertContacts(db: Db, groupId: string, memberIds: readonly string[]) {
  await sql`select from account where id = (select account_id from address_book_group where id = ${groupId})
    for no key update`.execute(db)
  const { numAffectedRows } = await sql`
    insert into address_book_group_member (group_id, member_account_id)
    select ${groupId}::bigint, unnest(${memberIds as string[]}::bigint[]) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people from address_book_group_member where group_id = ${groupId}`.execute(
    db,
  )
  if ((rows[0]?.people ?? 0) > maxGroupPeople) fail('address_book.group_full')
  return Number(numAffectedRows ?? 0)
}
