import { createHash, randomInt } from 'node:crypto'
import { maxAppPasswords } from '@atrium/contract/work/calendar-exchange'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { hashingOf } from '#domains/identity/identity/password.ts'
import { clearFailures, countFailure, findThrottle } from '#domains/identity/identity/queries.ts'
import { cachedRead, defineState } from '#platform/area-state.ts'
import { evaluateAudiences, listAudiences } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import type { Platform } from '#platform/platform.ts'
import { DavError } from './dav-error.ts'

/** The member a device is signed in for. */
export type DavMember = {
  passwordId: string
  accountId: string
  username: string
  name: string
  nameEn: string
  email: string
  timeZone: string | null
  language: 'zh' | 'en'
  audiences: readonly number[]
}

/** Letters that are easy to distinguish in any font and type on any keyboard; five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const selectorLength = 4
/** 100 bits in addition to the selector. */
const secretLength = 20
const randomLetters = (length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
const inGroups = (text: string) => text.replaceAll(/(.{4})(?=.)/g, '$1-')

// ---- managing passwords ----

export const listPasswords = (db: Db, accountId: string) =>
  db
    .selectFrom('caldav_password')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

/** @returns the password, of which only the hash is stored; undefined if the maximum number is reached */
export async function insertPassword(
  platform: Platform,
  db: Db,
  accountId: string,
  values: { name: string; language: 'zh' | 'en' },
) {
  // Serialises concurrent calls, which could otherwise exceed the maximum.
  await sql`select from account where id = ${accountId} for update`.execute(db)
  const { rows } = await sql<{ selector: string }>`
    select selector from caldav_password where account_id = ${accountId}`.execute(db)
  if (rows.length >= maxAppPasswords) return undefined
  let selector = randomLetters(selectorLength)
  while (rows.some((row) => row.selector === selector)) selector = randomLetters(selectorLength)
  const secret = randomLetters(secretLength)
  const { id } = await db
    .insertInto('caldav_password')
    .values({
      account_id: accountId,
      ...values,
      selector,
      password_hash: await hashingOf(platform).hash(secret),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, password: inGroups(selector + secret) }
}

export const deletePassword = (db: Db, accountId: string, id: string) =>
  db
    .deleteFrom('caldav_password')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst()

// ---- authenticating devices ----

/** Throttled like password sign-in. Devices whose password is cached are not affected by other people's guesses. */
const throttle = {
  password: { free: 5, maxSeconds: 900 },
  address: { free: 300, maxSeconds: 30 },
}
/** Maximum requests per device and minute; an initial synchronisation makes a few hundred. */
const maxRequests = 600
/** How long a verified password is cached instead of hashed again: clients send it with every request. */
const verifiedTtlMs = 10 * 60_000

const stateOf = defineState(() => ({
  verified: new LRUCache<string, string>({ max: 50_000, ttl: verifiedTtlMs }),
  requests: new LRUCache<string, number>({ max: 50_000, ttl: 60_000, noUpdateTTL: true }),
}))
const audiencesOf = cachedRead(['audience'], ({ db }) => listAudiences(db))

/**
 * Authenticates a request by app password (Basic, RFC 7617); the portal password is not accepted. Whether the password
 * and account are still valid is checked each time.
 * @throws DavError 401, 429
 */
export async function authenticate(
  platform: Platform,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
): Promise<DavMember> {
  const credentials = readBasic(headers.authorization)
  if (!credentials) throw new DavError(401, 'An app password is needed.')
  const { verified, requests } = stateOf(platform)
  const key = createHash('sha256')
    .update(`${credentials.username}\n${credentials.password}`)
    .digest('hex')
  const id = verified.get(key) ?? (await verifyPassword(platform, credentials, ip))
  const row = await findMember(platform.db, id)
  if (!row) {
    verified.delete(key)
    throw new DavError(401, 'The app password is wrong, or was revoked.')
  }
  verified.set(key, id)
  const count = (requests.get(id) ?? 0) + 1
  if (count > maxRequests)
    throw new DavError(429, 'This device sends too many requests. Please try again later.', {
      retryAfter: 60,
    })
  requests.set(id, count)
  const { stale, path, groups, identityTypeCode, ...member } = row
  if (stale)
    await platform.db
      .updateTable('caldav_password')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  const facts = {
    accountId: member.accountId,
    identityTypeCode,
    organizationPath: path,
    groups: groups ?? [],
  }
  return { ...member, audiences: evaluateAudiences(await audiencesOf(platform), facts).audiences }
}

function readBasic(header: string | undefined) {
  const [, coded] = /^Basic ([\w+/=-]{4,800})$/i.exec(header ?? '') ?? []
  if (!coded) return undefined
  const text = Buffer.from(coded, 'base64').toString('utf8')
  const separator = text.indexOf(':')
  if (separator < 1 || text.includes('\0')) return undefined
  return {
    username: text.slice(0, separator).trim().toLowerCase(),
    password: text
      .slice(separator + 1)
      .replaceAll(/[\s-]/g, '')
      .toLowerCase(),
  }
}

/** @returns the id of the matching password */
async function verifyPassword(
  platform: Platform,
  { username, password }: { username: string; password: string },
  ip: string,
): Promise<string> {
  const { db } = platform
  const candidate = await db
    .selectFrom('caldav_password as one')
    .innerJoin('account', 'account.id', 'one.account_id')
    .select(['one.id', 'one.password_hash as hash'])
    .where('account.username', '=', username)
    .where('one.selector', '=', password.slice(0, selectorLength))
    .executeTakeFirst()
  // Guesses with an unknown selector are counted separately, so that they do not slow down the account's devices.
  const passwordKey = candidate ? `caldav:${candidate.id}` : `caldav-of:${username.slice(0, 128)}`
  const networkKey = `caldav-at:${callerNetwork(ip)}`
  const assertNotThrottled = async () => {
    const { blockedSeconds } = await findThrottle(db, [passwordKey, networkKey])
    if (blockedSeconds > 0)
      throw new DavError(429, 'Too many wrong passwords. Please try again later.', {
        retryAfter: blockedSeconds,
      })
  }
  await assertNotThrottled()
  const isMatch = await hashingOf(platform).matches(candidate?.hash, password.slice(selectorLength))
  // Checked again, so that concurrent failures count for this attempt too.
  await assertNotThrottled()
  if (!candidate || !isMatch) {
    await countFailure(db, passwordKey, throttle.password)
    await countFailure(db, networkKey, throttle.address)
    throw new DavError(401, 'The app password is wrong, or was revoked.')
  }
  await clearFailures(db, passwordKey)
  return candidate.id
}

const findMember = (db: Db, passwordId: string) =>
  db
    .selectFrom('caldav_password as one')
    .innerJoin('account', 'account.id', 'one.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'one.id as passwordId',
      'account.id as accountId',
      'account.username',
      'account.identity_type_code as identityTypeCode',
      'organization.path',
      'person.name',
      'person.name_en as nameEn',
      sql<string>`lower(person.email)`.as('email'),
      'person.time_zone as timeZone',
    ])
    .select((query) => [
      sql<'zh' | 'en'>`one.language`.as('language'),
      sql<boolean>`coalesce(one.last_used_at < now() - interval '1 minute', true)`.as('stale'),
      query
        .selectFrom('group_member')
        .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
        .whereRef('group_member.account_id', '=', 'account.id')
        .select(sql<string[] | null>`array_agg(member_group.code)`.as('codes'))
        .as('groups'),
    ])
    .where('one.id', '=', passwordId)
    .where('account.status', '=', 'active')
    .executeTakeFirst()
