import {
  type BookPerson,
  type BookPersonDetail,
  maxHits,
} from '@atrium/contract/member/address-book'
import { type RawBuilder, sql } from 'kysely'
import { accountsNamed } from '#domains/identity/members/name-index.ts'
import { acceptsMessagesFrom, visibleFields } from '#domains/member/privacy/settings.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { bookFields, isInBook } from './access.ts'
import { type Book, nameSortKey } from './book.ts'

const selectPeople = (db: Db) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .leftJoin('address_book_post as post', 'post.account_id', 'account.id')
    .leftJoin('file as portrait', 'portrait.id', 'person.portrait_file_id')
    .select([
      'account.id',
      'account.username as accountName',
      'person.name',
      'person.name_en as nameEn',
      'organization.name as organization',
      'organization.name_en as organizationEn',
      'identity_type.name as identityType',
      'identity_type.name_en as identityTypeEn',
      'portrait.id as portraitId',
      'portrait.is_public as portraitPublic',
      'portrait.media_type as portraitType',
      sql<string>`coalesce(post.title, '')`.as('title'),
      sql<string>`coalesce(post.title_en, '')`.as('titleEn'),
      sql<boolean>`exists (select from organization_head head
        where head.account_id = account.id and head.organization_id = account.organization_id)`.as(
        'leads',
      ),
    ])

type Row = Omit<BookPerson, 'portraitUrl'> & {
  id: string
  portraitId: string | null
  portraitPublic: boolean | null
  portraitType: string | null
}

/** Those of these accounts that are listed in the address book, in the given order. */
export async function listPeople(
  platform: Platform,
  viewer: Member,
  ids: readonly string[],
): Promise<BookPerson[]> {
  if (ids.length === 0) return []
  const rows = await selectPeople(platform.db)
    .where('account.id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .where(await isInBook(platform))
    .execute()
  const people = await withPortraits(platform, viewer, rows)
  const byId = new Map(rows.map(({ id }, index) => [id, people[index] as BookPerson]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function withPortraits(platform: Platform, viewer: Member, rows: readonly Row[]) {
  const { portrait } = await bookFields(platform)
  const pictures = await picturesOf(platform)
  const idsWithPortrait = rows.filter(({ portraitId }) => portraitId !== null).map(({ id }) => id)
  const visible =
    portrait && idsWithPortrait.length > 0
      ? await visibleFields(platform, viewer, idsWithPortrait)
      : new Map()
  return rows.map(
    ({ id, portraitId, portraitPublic, portraitType, ...person }): BookPerson => ({
      ...person,
      portraitUrl: visible.get(id)?.portrait
        ? pictures.address('icon', {
            id: portraitId,
            is_public: portraitPublic,
            media_type: portraitType,
          })
        : '',
    }),
  )
}

/**
 * Accounts matching by name, pinyin, initials or number, then those whose title contains all words.
 * @param within organisation code: only this organisation and those below it
 */
export async function findAccounts(
  platform: Platform,
  book: Book,
  text: string,
  within: string | undefined,
): Promise<string[]> {
  const organizationFilter: RawBuilder<unknown> =
    within === undefined ? sql`` : sql`and organization.path && ${[within]}::text[]`
  const where = sql<boolean>`(${await isInBook(platform)} ${organizationFilter})`
  const { rows } = await sql<{ id: string }>`
    select id::text as id from ${accountsNamed(text, where, maxHits * 2)} as named
    order by place, id limit ${maxHits}`.execute(platform.db)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const titled = book.titled.filter(
    (one) =>
      (within === undefined || one.path.includes(within)) &&
      words.every((word) => one.words.includes(word)),
  )
  return [...new Set([...rows, ...titled].map(({ id }) => id))].slice(0, maxHits)
}

/** The contact details of an account that the caller may see. */
export async function contactsShown(
  platform: Platform,
  viewer: Member,
  account: { id: string; mobile: string; email: string },
) {
  const fields = await bookFields(platform)
  const visible = (await visibleFields(platform, viewer, [account.id])).get(account.id)
  return {
    mobile: (fields.mobile && visible?.mobile && account.mobile) || null,
    email: (fields.email && visible?.email && account.email) || null,
    portrait: fields.portrait && (visible?.portrait ?? false),
  }
}

/** A person as the caller sees them in the address book; undefined if unknown or not listed. */
export async function findPerson(
  platform: Platform,
  viewer: Member,
  accountName: string,
): Promise<(Omit<BookPersonDetail, 'path'> & { id: string; organizationId: string }) | undefined> {
  const { db } = platform
  const listed = await isInBook(platform)
  const row = await selectPeople(db)
    .select([
      'account.person_id as personId',
      'organization.id as organizationId',
      'person.mobile',
      'person.email',
      'post.office_phone as officePhone',
      'post.office',
      'post.office_en as officeEn',
      listed.as('listed'),
    ])
    .where('account.username', '=', accountName.trim().toLowerCase())
    .where(sql<boolean>`(${listed} or account.id = ${viewer.accountId})`)
    .executeTakeFirst()
  if (!row) return undefined
  const { personId, mobile, email, officePhone, office, officeEn, ...summary } = row
  const { organizationId, listed: isListed, ...person } = summary
  const fields = await bookFields(platform)
  const contacts = await contactsShown(platform, viewer, { id: row.id, mobile, email })
  const [personWithPortrait] = await withPortraits(platform, viewer, [person])
  const { rows: otherAccounts } = await sql<{ id: string }>`
    select account.id::text from account join organization on organization.id = account.organization_id
    where account.person_id = ${personId} and account.id <> ${row.id} and ${listed}
    order by account.id limit 10`.execute(db)
  const favourite = await db
    .selectFrom('address_book_favourite')
    .select('account_id')
    .where('account_id', '=', viewer.accountId)
    .where('favourite_account_id', '=', row.id)
    .executeTakeFirst()
  return {
    ...(personWithPortrait as BookPerson),
    id: row.id,
    organizationId,
    mobile: contacts.mobile,
    email: contacts.email,
    officePhone: (fields.office && officePhone) || null,
    office: (fields.office && office) || null,
    officeEn: (fields.office && officeEn) || null,
    self: personId === viewer.personId,
    listed: isListed,
    favourite: favourite !== undefined,
    hears:
      personId !== viewer.personId &&
      (await acceptsMessagesFrom(platform, row.id, viewer.accountId)),
    others: await listPeople(
      platform,
      viewer,
      otherAccounts.map(({ id }) => id),
    ),
  }
}

// ---- groups ----

/** The caller's groups, each with the number of members listed in the address book. */
export async function listGroups(platform: Platform, viewer: Member) {
  const { rows } = await sql<{ id: string; name: string; nameEn: string; people: number }>`
    select g.id::text, g.name, g.name_en as "nameEn", (
      select count(*)::integer from group_member m join account on account.id = m.account_id
      join organization on organization.id = account.organization_id
      where m.group_id = g.id and ${await isInBook(platform)}) as people
    from member_group g join group_member own on own.group_id = g.id and own.account_id = ${viewer.accountId}
    order by g.name limit 100`.execute(platform.db)
  return rows
}

/** The listed accounts of a group the caller belongs to; empty for any other group. */
export async function listGroupAccounts(
  platform: Platform,
  viewer: Member,
  groupId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows } = await sql<{ id: string; total: number }>`
    select account.id::text, count(*) over ()::integer as total
    from group_member m join account on account.id = m.account_id
    join person on person.id = account.person_id
    join organization on organization.id = account.organization_id
    where m.group_id = ${groupId} and ${await isInBook(platform)}
      and exists (select from group_member own where own.group_id = m.group_id and own.account_id = ${viewer.accountId})
    order by ${nameSortKey}, account.id limit ${limit} offset ${offset}`.execute(platform.db)
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}

// ---- favourites ----

export const listFavouriteIds = async (db: Db, accountId: string) =>
  (
    await db
      .selectFrom('address_book_favourite')
      .select('favourite_account_id as id')
      .where('account_id', '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('favourite_account_id')
      .execute()
  ).map(({ id }) => id)

/** Call in a transaction. @returns false if the list is full */
export async function insertFavourite(db: Db, accountId: string, id: string, max: number) {
  // Serialises concurrent calls, which could otherwise exceed the limit.
  await sql`select from account where id = ${accountId} for no key update`.execute(db)
  const existingIds = await listFavouriteIds(db, accountId)
  if (existingIds.includes(id)) return true
  if (existingIds.length >= max) return false
  await db
    .insertInto('address_book_favourite')
    .values({ account_id: accountId, favourite_account_id: id })
    .execute()
  return true
}

export const deleteFavourite = (db: Db, accountId: string, accountName: string) =>
  db
    .deleteFrom('address_book_favourite')
    .where('account_id', '=', accountId)
    .where('favourite_account_id', 'in', (query) =>
      query
        .selectFrom('account')
        .select('id')
        .where('username', '=', accountName.trim().toLowerCase()),
    )
    .execute()
