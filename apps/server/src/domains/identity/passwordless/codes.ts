import { randomInt } from 'node:crypto'
import type { Language } from '@atrium/contract/error-texts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { checkCaptcha } from '#domains/identity/browsers/captcha.ts'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { knownDeviceOf } from '#domains/identity/identity/known-devices.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import { codesSent, smsOfTheDay } from '#platform/metrics.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { codeMail, codeSms } from './code-texts.ts'
import { freeOfCaptcha, limits, waitFor } from './rules.ts'

/** What a code is good for; one for one thing is worth nothing for another. */
type CodePurpose = 'signIn' | 'recovery' | 'oldMobile' | 'newMobile' | 'oldEmail' | 'newEmail'
type ContactKind = 'mobile' | 'email'

const codeMinutes = 5
const codeTries = 5
/** Used and spent codes are remembered for longer than any request that could name them lasts. */
const keptMinutes = 60

type CodeOrder = {
  purpose: CodePurpose
  kind: ContactKind
  contact: string
  /** what asks for the code and will hand it in: a nonce of ours, or the session */
  key: string
  /** whose contact it is; null: nobody's, and everything happens alike but that nothing is sent */
  personId: string | null
  language: Language
  /** the member who asks; a visitor is counted by address and device instead, and brings captchas */
  memberId?: string
  /** what the visitor solved, where a captcha is due */
  captcha?: string | undefined
}

/**
 * Sends a code of six digits to a contact, good for five minutes, five tries, this key and this purpose. Another one for
 * the same key takes its place. @returns seconds until the next may be asked for
 * @throws code.too_many with the seconds to wait, login.captcha_due, code.request_used
 */
export async function sendCode(
  platform: Platform,
  request: FastifyRequest,
  order: CodeOrder,
): Promise<{ retryAfter: number }> {
  const contact = order.contact.toLowerCase()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const settings = await currentSettings(platform)
  const known = order.purpose.startsWith('new')
    ? undefined
    : (order.memberId ?? (await knownDeviceOf(platform, request, { id: order.personId })))
  // Strangers who ask for codes to a contact do not use up those of its owner on a device of theirs.
  const counted = known ? `${contact} ${known}` : contact
  const from = order.memberId
    ? { address: '', device: '', memberId: order.memberId }
    : {
        address: known ? '' : callerNetwork(request.ip),
        device: deviceOf(request).deviceId ?? '',
        memberId: null,
      }
  const solved = order.captcha !== undefined && (await checkCaptcha(platform, order.captcha))
  await platform.db.transaction().execute(async (db) => {
    const before = await countBefore(db, counted, from)
    const wait = Math.max(
      waitFor(before.contact, limits.contact),
      waitFor(before.device, limits.device),
      waitFor(before.member, limits.member),
      waitFor(before.address, [{ max: Number(settings.codesPerAddress), seconds: 3600 }]),
    )
    if (wait > 0) {
      codesSent.inc({ kind: order.kind, result: 'blocked' })
      fail('code.too_many', { retryAfter: wait })
    }
    const sent = Math.max(before.contact.length, before.device.length, before.address.length)
    if (!order.memberId && sent >= freeOfCaptcha && !solved) fail('login.captcha_due')
    await insertRequest(db, counted, from)
    await putCode(db, platform, { ...order, contact, code })
    const message = { to: order.contact, language: order.language, code, minutes: codeMinutes }
    const haste = { seconds: codeMinutes * 60 }
    const school = settings.schoolName
    // For nobody the same is done, and taken back: the time tells nothing.
    await sql`savepoint sending`.execute(db)
    if (order.kind === 'mobile') await sendSms(db, codeSms(message, school), haste)
    else await sendMail(db, codeMail(message, school), haste)
    await (order.personId === null
      ? sql`rollback to savepoint sending`
      : sql`release savepoint sending`
    ).execute(db)
  })
  if (order.kind === 'mobile') await watchBudget(platform, Number(settings.smsDailyBudget))
  codesSent.inc({ kind: order.kind, result: order.personId === null ? 'nobody' : 'sent' })
  return { retryAfter: limits.contact[0]?.seconds ?? 60 }
}

/**
 * Whether this is the code that was sent; it is used up then. A wrong one counts as a try even where the caller fails
 * afterwards: it is written at once, so call this before a transaction, never inside one.
 * @returns whose contact it is @throws code.wrong: wrong, too old, used, or tried too often
 */
export async function takeCode(
  platform: Platform,
  {
    purpose,
    contact,
    key,
    code,
  }: { purpose: CodePurpose; contact: string; key: string; code: string },
): Promise<{ personId: string | null }> {
  const wanted = codeHash(platform, { purpose, contact: contact.toLowerCase(), key, code })
  const taken = await platform.db
    .updateTable('contact_code')
    .set({
      tries: sql<number>`tries + 1`,
      used_at: sql<string | null>`case when code_hash = ${wanted} then now() end`,
    })
    .where('key_hash', '=', hashSecret(key))
    .where('purpose', '=', purpose)
    .where('contact', '=', contact.toLowerCase())
    .where('used_at', 'is', null)
    .where('tries', '<', codeTries)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['used_at as usedAt', 'person_id as personId'])
    .executeTakeFirst()
  if (!taken?.usedAt) return fail('code.wrong')
  return { personId: taken.personId }
}

/** What the hourly job clears away: too old for any limit, or for anything that could name it. */
export async function deleteOldCodes(db: Db) {
  await db
    .deleteFrom('contact_code')
    .where('expires_at', '<', sql<string>`now() - make_interval(mins => ${keptMinutes})`)
    .execute()
  await db
    .deleteFrom('code_request')
    .where('created_at', '<', sql<string>`now() - interval '2 days'`)
    .execute()
}

type From = { address: string; device: string; memberId: string | null }

/** How long ago each code went out, in seconds, by what is counted. Whoever is counted waits for the other meanwhile. */
async function countBefore(db: Db, contact: string, from: From) {
  const keys = [
    `contact ${contact}`,
    from.address && `address ${from.address}`,
    from.device && `device ${from.device}`,
    from.memberId && `member ${from.memberId}`,
  ].filter((key) => !!key)
  // In one order for everybody: two that wait for each other would wait for ever.
  await sql`
    select pg_advisory_xact_lock(number) from
      (select distinct hashtextextended(key, 15) as number from unnest(${keys}::text[]) as key order by 1) as ordered`.execute(
    db,
  )
  const { rows } = await sql<{ counted: 'contact' | keyof From; age: number }>`
    select counted, extract(epoch from clock_timestamp() - created_at)::float8 as age from (
      select 'contact' as counted, created_at from code_request where contact = ${contact}
      union all
      select 'address', created_at from code_request where address <> '' and address = ${from.address}
      union all
      select 'device', created_at from code_request where device <> '' and device = ${from.device}
      union all
      select 'memberId', created_at from code_request where person_id = ${from.memberId}
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

const insertRequest = (db: Db, contact: string, from: From) =>
  db
    .insertInto('code_request')
    .values({
      contact,
      address: from.address,
      device: from.device,
      person_id: from.memberId,
      // The clock, not the transaction's start: it may have waited for another one.
      created_at: sql<string>`clock_timestamp()`,
    })
    .execute()

async function putCode(db: Db, platform: Platform, order: CodeOrder & { code: string }) {
  const row = {
    contact: order.contact,
    person_id: order.personId,
    code_hash: codeHash(platform, order),
    tries: 0,
    used_at: null,
    expires_at: sql<string>`now() + make_interval(mins => ${codeMinutes})`,
  }
  const put = await db
    .insertInto('contact_code')
    .values({ key_hash: hashSecret(order.key), purpose: order.purpose, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['key_hash', 'purpose'])
        .doUpdateSet(row)
        // A session asks for many codes; a nonce whose code was taken is spent.
        .where((where) =>
          where.or([
            where('contact_code.used_at', 'is', null),
            where.val(order.memberId !== undefined),
          ]),
        ),
    )
    .returning('key_hash')
    .executeTakeFirst()
  if (!put) fail('code.request_used')
}

/** With the installation's secret: six digits are guessed from a plain hash in no time. */
const codeHash = (
  platform: Platform,
  { purpose, contact, key, code }: { purpose: string; contact: string; key: string; code: string },
) => platform.secret.sign('code', [purpose, contact, key, code].join('\n'))

const alarmOf = definePart(() => ({ at: 0 }))

/** A flood from many places at once passes every limit, and costs money: it is said aloud, once an hour. */
async function watchBudget(platform: Platform, max: number) {
  const { count } = await platform.db
    .selectFrom('outbox')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('kind', '=', 'sms')
    .where('created_at', '>', sql<string>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  smsOfTheDay.set(count)
  const alarm = alarmOf(platform)
  if (count <= max || Date.now() - alarm.at < 3_600_000) return
  alarm.at = Date.now()
  platform.log.error(
    { count, max },
    'more short messages within 24 hours than smsDailyBudget allows: look for a flood, or raise it',
  )
}
