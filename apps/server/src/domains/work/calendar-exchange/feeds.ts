import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { cachedRead, defineState } from '#platform/area-state.ts'
import { evaluateAudiences, listAudiences } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Reader } from './queries.ts'

export const maxFeeds = 20
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const newToken = () => randomBytes(32).toString('base64url')
const isToken = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

// ---- managing feeds ----

export const listFeeds = (db: Db, accountId: string) =>
  db
    .selectFrom('calendar_feed as feed')
    .leftJoin('calendar', 'calendar.id', 'feed.calendar_id')
    .select([
      'feed.id',
      'feed.name',
      'feed.calendar_id as calendarId',
      'feed.created_at as createdAt',
      'feed.renewed_at as renewedAt',
      'feed.fetched_at as fetchedAt',
    ])
    .select([
      sql<string>`coalesce(calendar.name, '')`.as('calendarName'),
      sql<string>`coalesce(calendar.name_en, '')`.as('calendarNameEn'),
    ])
    .where('feed.account_id', '=', accountId)
    .orderBy('feed.id')
    .execute()

/** @returns the token, of which only the hash is stored; undefined if the maximum number is reached */
export async function insertFeed(
  db: Db,
  accountId: string,
  feed: { name: string; calendarId: string | null; language: 'zh' | 'en' },
) {
  // Serialises concurrent calls, which could otherwise exceed the maximum.
  await sql`select from account where id = ${accountId} for update`.execute(db)
  if ((await listFeeds(db, accountId)).length >= maxFeeds) return undefined
  const token = newToken()
  const { id } = await db
    .insertInto('calendar_feed')
    .values({
      account_id: accountId,
      calendar_id: feed.calendarId,
      name: feed.name,
      language: feed.language,
      token_hash: hashOf(token),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}

/** @returns the new token; undefined if the member has no such feed */
export async function renewFeed(db: Db, accountId: string, id: string) {
  const token = newToken()
  const renewed = await db
    .updateTable('calendar_feed')
    .set({ token_hash: hashOf(token), renewed_at: sql`now()`, fetched_at: null })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()
  return renewed && { id, token }
}

export const deleteFeed = (db: Db, accountId: string, id: string) =>
  db
    .deleteFrom('calendar_feed')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()

// ---- reading feeds ----

/** Maximum requests per feed and hour, for all devices of a member together. */
const maxFetches = 120
/** Maximum requests for unknown feeds per network and minute. */
const maxMisses = 60

const countsOf = defineState(() => ({
  fetches: new LRUCache<string, number>({ max: 50_000, ttl: 3600_000, noUpdateTTL: true }),
  misses: new LRUCache<string, number>({ max: 50_000, ttl: 60_000, noUpdateTTL: true }),
}))
const audiencesOf = cachedRead(['audience'], ({ db }) => listAudiences(db))

/**
 * The feed of a token and its reader. What it shows depends on what the member may see now, not when they created it.
 * @throws feed.not_found, request.too_many
 */
export async function getFeedByToken(platform: Platform, token: string, ip: string) {
  const { fetches, misses } = countsOf(platform)
  const network = callerNetwork(ip)
  const miss = () => {
    misses.set(network, (misses.get(network) ?? 0) + 1)
    return fail('feed.not_found')
  }
  if (!isToken(token)) return miss()
  const hash = hashOf(token)
  const count = fetches.get(hash)
  // A network that guesses tokens is refused without a query; tokens used recently are not affected.
  if (count === undefined && (misses.get(network) ?? 0) >= maxMisses)
    return fail('request.too_many', { retryAfter: 60 })
  if (count !== undefined && count >= maxFetches)
    return fail('request.too_many', { retryAfter: 600 })
  const found = await findFeed(platform.db, hash)
  if (!found) return miss()
  fetches.set(hash, (count ?? 0) + 1)
  const { stale, path, groups, identityTypeCode, ...feed } = found
  if (stale)
    await platform.db
      .updateTable('calendar_feed')
      .set({ fetched_at: sql`now()` })
      .where('id', '=', feed.id)
      .execute()
  const facts = {
    accountId: feed.accountId,
    identityTypeCode,
    organizationPath: path,
    groups: groups ?? [],
  }
  const { audiences } = evaluateAudiences(await audiencesOf(platform), facts)
  const reader: Reader = { accountId: feed.accountId, audiences, language: feed.language }
  return { feed, reader }
}

const findFeed = (db: Db, hash: string) =>
  db
    .selectFrom('calendar_feed as feed')
    .innerJoin('account', 'account.id', 'feed.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'feed.id',
      'feed.name',
      'feed.calendar_id as calendarId',
      'account.id as accountId',
      'account.identity_type_code as identityTypeCode',
      'organization.path',
      'person.time_zone as timeZone',
    ])
    .select((query) => [
      sql<'zh' | 'en'>`feed.language`.as('language'),
      sql<boolean>`coalesce(feed.fetched_at < now() - interval '1 minute', true)`.as('stale'),
      query
        .selectFrom('group_member')
        .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
        .whereRef('group_member.account_id', '=', 'account.id')
        .select(sql<string[] | null>`array_agg(member_group.code)`.as('codes'))
        .as('groups'),
    ])
    .where('feed.token_hash', '=', hash)
    .where('account.status', '=', 'active')
    .executeTakeFirst()
