import { randomInt } from 'node:crypto'
import type { Language } from '@atrium/contract/error-texts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { checkCaptcha } from '#domains/identity/browsers/captcha.ts'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { findDeviceThrottleKey } from '#domains/identity/identity/known-devices.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import { codesSent, smsOfTheDay } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { codeMail, codeSms } from './code-texts.ts'
import { captchaFreeRequests, limits, secondsUntilAllowed } from './rules.ts'

/** What a code is valid for; it is useless for any other purpose. */
type CodePurpose = 'signIn' | 'recovery' | 'oldMobile' | 'newMobile' | 'oldEmail' | 'newEmail'
type ContactKind = 'mobile' | 'email'

const codeMinutes = 5
const maxCodeAttempts = 5
/** Minutes for which used codes are retained: longer than any request that could refer to them. */
const retentionMinutes = 60

type CodeOptions = {
  purpose: CodePurpose
  kind: ContactKind
  contact: string
  /** what requests and later redeems the code: a nonce of ours, or the session */
  key: string
  /** owner of the contact; null: unknown, and everything except the sending itself takes place */
  personId: string | null
  language: Language
  /** the member who requests it; visitors are limited by address and device instead, and solve captchas */
  memberId?: string
  /** the visitor's solution, if a captcha is due */
  captcha?: string | undefined
}

/**
 * Sends a six-digit code to a contact, valid for five minutes, five attempts, this key and this purpose. A new code for
 * the same key replaces it.
 * @returns seconds until the next may be requested
 * @throws code.too_many with the seconds to wait, login.captcha_due, code.request_used
 */
export async function sendCode(
  platform: Platform,
  request: FastifyRequest,
  options: CodeOptions,
): Promise<{ retryAfter: number }> {
  const contact = options.contact.toLowerCase()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const settings = await currentSettings(platform)
  const ownCounter = options.purpose.startsWith('new')
    ? undefined
    : (options.memberId ??
      (await findDeviceThrottleKey(platform, request, { id: options.personId })))
  // Requests from a known device are counted separately, so that strangers cannot use up the owner's limit.
  const contactKey = ownCounter ? `${contact} ${ownCounter}` : contact
  const origin = options.memberId
    ? { address: '', device: '', memberId: options.memberId }
    : {
        address: ownCounter ? '' : callerNetwork(request.ip),
        device: deviceOf(request).deviceId ?? '',
        memberId: null,
      }
  const isSolved = options.captcha !== undefined && (await checkCaptcha(platform, options.captcha))
  await platform.db.transaction().execute(async (db) => {
    const earlier = await readRequestAges(db, contactKey, origin)
    const wait = Math.max(
      secondsUntilAllowed(earlier.contact, limits.contact),
      secondsUntilAllowed(earlier.device, limits.device),
      secondsUntilAllowed(earlier.member, limits.member),
      secondsUntilAllowed(earlier.address, [
        { max: Number(settings.codesPerAddress), seconds: 3600 },
      ]),
    )
    if (wait > 0) {
      codesSent.inc({ kind: options.kind, result: 'blocked' })
      fail('code.too_many', { retryAfter: wait })
    }
    const sent = Math.max(earlier.contact.length, earlier.device.length, earlier.address.length)
    if (!options.memberId && sent >= captchaFreeRequests && !isSolved) fail('login.captcha_due')
    await insertRequest(db, contactKey, origin)
    await storeCode(db, platform, { ...options, contact, code })
    const message = { to: options.contact, language: options.language, code, minutes: codeMinutes }
    const delivery = { seconds: codeMinutes * 60 }
    const school = settings.schoolName
    // For an unknown contact the message is queued and rolled back, so that timing reveals nothing.
    await sql`savepoint sending`.execute(db)
    if (options.kind === 'mobile') await sendSms(db, codeSms(message, school), delivery)
    else await sendMail(db, codeMail(message, school), delivery)
    await (options.personId === null
      ? sql`rollback to savepoint sending`
      : sql`release savepoint sending`
    ).execute(db)
  })
  if (options.kind === 'mobile') await watchBudget(platform, Number(settings.smsDailyBudget))
  codesSent.inc({ kind: options.kind, result: options.personId === null ? 'nobody' : 'sent' })
  return { retryAfter: limits.contact[0]?.seconds ?? 60 }
}

/**
 * Consumes the code if it is right. A wrong code counts as an attempt even if the caller fails later, so call this
 * before a transaction, never inside one: the count must be committed immediately.
 * @returns the owner of the contact
 * @throws code.wrong: wrong, expired, used, or too many attempts
 */
export async function consumeCode(
  platform: Platform,
  {
    purpose,
    contact,
    key,
    code,
  }: { purpose: CodePurpose; contact: string; key: string; code: string },
): Promise<{ personId: string | null }> {
  const expectedHash = codeHash(platform, { purpose, contact: contact.toLowerCase(), key, code })
  const row = await platform.db
    .updateTable('contact_code')
    .set({
      tries: sql<number>`tries + 1`,
      used_at: sql<string | null>`case when code_hash = ${expectedHash} then now() end`,
    })
    .where('key_hash', '=', hashSecret(key))
    .where('purpose', '=', purpose)
    .where('contact', '=', contact.toLowerCase())
    .where('used_at', 'is', null)
    .where('tries', '<', maxCodeAttempts)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['used_at as usedAt', 'person_id as personId'])
    .executeTakeFirst()
  if (!row?.usedAt) return fail('code.wrong')
  return { personId: row.personId }
}

/** Hourly job: deletes rows too old for any limit or request. */
export async function deleteOldCodes(db: Db) {
  await db
    .deleteFrom('contact_code')
    .where('expires_at', '<', sql<string>`now() - make_interval(mins => ${retentionMinutes})`)
    .execute()
  await db
    .deleteFrom('code_request')
    .where('created_at', '<', sql<string>`now() - interval '2 days'`)
    .execute()
}

type RequestOrigin = { address: string; device: string; memberId: string | null }

/** Ages in seconds of earlier requests, per counter. Locks the counters, so that concurrent requests are serialised. */
async function readRequestAges(db: Db, contact: string, origin: RequestOrigin) {
  const keys = [
    `contact ${contact}`,
    origin.address && `address ${origin.address}`,
    origin.device && `device ${origin.device}`,
    origin.memberId && `member ${origin.memberId}`,
  ].filter((key) => !!key)
  // Locked in a fixed order to avoid deadlocks.
  await sql`
    select pg_advisory_xact_lock(number) from
      (select distinct hashtextextended(key, 15) as number from unnest(${keys}::text[]) as key order by 1) as ordered`.execute(
    db,
  )
  const { rows } = await sql<{ counted: 'contact' | keyof RequestOrigin; age: number }>`
    select counted, extract(epoch from clock_timestamp() - created_at)::float8 as age from (
      select 'contact' as counted, created_at from code_request where contact = ${contact}
      union all
      select 'address', created_at from code_request where address <> '' and address = ${origin.address}
      union all
      select 'device', created_at from code_request where device <> '' and device = ${origin.device}
      union all
      select 'memberId', created_at from code_request where person_id = ${origin.memberId}
    ) as before
    where created_at > clock_timestamp() - interval '1 day'`.execute(db)
  const ages = (counted: string) =>
    rows.flatMap((row) => (row.counted === counted ? [row.age] : []))
  return {
    contact: ages('contact'),
    address: ages('address'),
    device: ages('device'),
    member: ages('memberId'),
  }
}

const insertRequest = (db: Db, contact: string, origin: RequestOrigin) =>
  db
    .insertInto('code_request')
    .values({
      contact,
      address: origin.address,
      device: origin.device,
      person_id: origin.memberId,
      // clock_timestamp(), because now() is the start of the transaction, which may have waited for a lock.
      created_at: sql<string>`clock_timestamp()`,
    })
    .execute()

async function storeCode(db: Db, platform: Platform, options: CodeOptions & { code: string }) {
  const row = {
    contact: options.contact,
    person_id: options.personId,
    code_hash: codeHash(platform, options),
    tries: 0,
    used_at: null,
    expires_at: sql<string>`now() + make_interval(mins => ${codeMinutes})`,
  }
  const stored = await db
    .insertInto('contact_code')
    .values({ key_hash: hashSecret(options.key), purpose: options.purpose, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['key_hash', 'purpose'])
        .doUpdateSet(row)
        // A session may request many codes; a nonce is spent once its code was used.
        .where((where) =>
          where.or([
            where('contact_code.used_at', 'is', null),
            where.val(options.memberId !== undefined),
          ]),
        ),
    )
    .returning('key_hash')
    .executeTakeFirst()
  if (!stored) fail('code.request_used')
}

/** Keyed with the installation's secret: a plain hash of six digits is trivial to reverse. */
const codeHash = (
  platform: Platform,
  { purpose, contact, key, code }: { purpose: string; contact: string; key: string; code: string },
) => platform.secret.sign('code', [purpose, contact, key, code].join('\n'))

const lastAlarmOf = defineState(() => ({ at: 0 }))

/** A distributed flood passes every limit and costs money: logged as an error, once an hour. */
async function watchBudget(platform: Platform, max: number) {
  const { count } = await platform.db
    .selectFrom('outbox')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('kind', '=', 'sms')
    .where('created_at', '>', sql<string>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  smsOfTheDay.set(count)
  const alarm = lastAlarmOf(platform)
  if (count <= max || Date.now() - alarm.at < 3_600_000) return
  alarm.at = Date.now()
  platform.log.error(
    { count, max },
    'more SMS within 24 hours than smsDailyBudget allows: check for abuse, or raise it',
  )
}
