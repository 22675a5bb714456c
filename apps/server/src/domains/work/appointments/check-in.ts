import type { checkIn } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { findEvent, getOccurrence } from '#domains/work/schedule/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import {
  checkCode,
  codeAt,
  recordWrongCode,
  retryDelay,
  stepEndsAt,
  stepOf,
  wrongCodeCount,
} from '#platform/live-code.ts'

/** How long before and after the event check-in is open, in ms; an all-day event has its days only. */
const marginMs = 60 * 60_000
const maxShown = 500

/**
 * An occurrence of an event the member sees. Check-in is never open for courses, which use the roll call. @throws
 * event.not_found
 */
async function getMeeting(db: Db, viewer: Member, id: string, startsAt: string | undefined) {
  const event = (await findEvent(db, viewer, id)) ?? fail('event.not_found')
  const startInstant = startsAt && !Number.isNaN(Date.parse(startsAt)) ? startsAt : undefined
  const occurrence = (await getOccurrence(db, id, startInstant)) ?? fail('event.not_found')
  const margin = event.allDay ? 0 : marginMs
  const opens = Date.parse(occurrence.starts_at) - margin
  const closes = Date.parse(occurrence.ends_at) + margin
  const now = Date.now()
  const isOpen = event.kind === 'event' && opens <= now && now < closes
  return { event, occurrence, opens, closes, isOpen }
}

/** Codes are derived from this subject, so they are valid for one occurrence only and are not stored. */
const subjectOf = (id: string, originalLocal: string) => `${id} ${originalLocal}`

type Outcome = { at: string } | { refused: 'event.code_late' | 'event.code_wrong' }

export const checkInHandlers: Handlers<typeof checkIn> = {
  async read({ db, viewer, params: { id }, query, platform }) {
    const { event, occurrence, opens, closes, isOpen } = await getMeeting(
      db,
      viewer,
      id,
      query.startsAt,
    )
    const original = occurrence.original_local
    const organises = event.mayWrite && event.kind === 'event'
    const step = stepOf(Date.now())
    const isCodeShown = organises && isOpen
    const ownCheckIn = await db
      .selectFrom('event_check_in')
      .select('at')
      .where('event_id', '=', id)
      .where('original_local', '=', original)
      .where('account_id', '=', viewer.accountId)
      .executeTakeFirst()
    const { invited } = await db
      .selectFrom('event_participant')
      .select(sql<number>`count(*)::integer`.as('invited'))
      .where('event_id', '=', id)
      .where('account_id', 'is not', null)
      .executeTakeFirstOrThrow()
    const key = platform.secret.sign('event-check-in', subjectOf(id, original))
    return {
      title: occurrence.title ?? event.title,
      titleEn: occurrence.title === null ? event.titleEn : '',
      startsAt: occurrence.starts_at,
      opensAt: new Date(opens).toISOString(),
      closesAt: new Date(closes).toISOString(),
      organises,
      code: isCodeShown ? codeAt(key, step) : '',
      codeUntil: isCodeShown ? new Date(stepEndsAt(step)).toISOString() : null,
      checkedInAt: ownCheckIn?.at ?? null,
      invited,
      people: organises ? await listCheckedIn(db, id, original) : [],
    }
  },

  async enter({ viewer, params: { id }, body: { startsAt, code }, platform }) {
    // A wrong attempt must be committed, so the refusal is thrown only after the transaction.
    const outcome: Outcome = await platform.db
      .transaction()
      .execute(async (db): Promise<Outcome> => {
        const { occurrence, isOpen } = await getMeeting(db, viewer, id, startsAt)
        if (!isOpen) fail('event.check_in_closed')
        const original = occurrence.original_local
        const row = sql`event_id = ${id} and original_local = ${original}::timestamp and account_id = ${viewer.accountId}`
        await sql`
        insert into event_check_in (event_id, original_local, account_id)
        values (${id}, ${original}::timestamp, ${viewer.accountId}) on conflict do nothing`.execute(
          db,
        )
        // Serialises attempts of one member.
        const { rows } = await sql<{ at: string | null; wrong: number }>`
        select at, ${wrongCodeCount} as wrong from event_check_in where ${row} for update`.execute(
          db,
        )
        if (rows[0]?.at) return { at: rows[0].at }
        const retryAfter = retryDelay(rows[0]?.wrong ?? 0)
        if (retryAfter) fail('request.too_many', { retryAfter })
        const key = platform.secret.sign('event-check-in', subjectOf(id, original))
        const verdict = checkCode(key, code, Date.now())
        if (verdict !== 'good') {
          await sql`update event_check_in set ${recordWrongCode} where ${row}`.execute(db)
          return { refused: verdict === 'late' ? 'event.code_late' : 'event.code_wrong' }
        }
        const entered = await sql<{ at: string }>`
        update event_check_in set at = now() where ${row} returning at`.execute(db)
        return { at: entered.rows[0]?.at ?? '' }
      })
    return 'refused' in outcome ? fail(outcome.refused) : outcome
  },
}

async function listCheckedIn(db: Db, id: string, original: string) {
  const { rows } = await sql<{ accountName: string; name: string; nameEn: string; at: string }>`
    select account.username as "accountName", person.name, person.name_en as "nameEn", came.at
    from event_check_in came join account on account.id = came.account_id
    join person on person.id = account.person_id
    where came.event_id = ${id} and came.original_local = ${original}::timestamp and came.at is not null
    order by came.at desc, account.id limit ${maxShown}`.execute(db)
  return rows
}
