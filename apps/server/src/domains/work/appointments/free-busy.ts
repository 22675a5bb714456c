import { isTimeZone } from '@atrium/contract/config-checks'
import type { Query } from '@atrium/contract/define'
import type { appointments, FreeBusy } from '@atrium/contract/work/appointments'
import { sql } from 'kysely'
import { daysBetween, midnight, zoneOf } from '#domains/work/schedule/day-bounds.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { freeSpans } from './rules.ts'

export const maxPeople = 20
export const maxDays = 62
/** Large enough for twenty people with eight events a day; a lower limit would hide busy times. */
const maxSpans = 20_000

/**
 * When people are busy: their own events and courses, and invitations they have not declined. People who do not share
 * this have no times. Titles are never returned.
 * @throws request.invalid, event.range_too_long
 */
export async function readFreeBusy(
  platform: Platform,
  viewer: Member,
  { people, from, to, minutes = 60, timeZone, without }: Query<typeof appointments.freeBusy>,
): Promise<FreeBusy> {
  const zone = timeZone ?? (await zoneOf(platform, viewer))
  if (!isTimeZone(zone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
  const days = daysBetween(from, to)
  if (days < 0) fail('request.invalid', { fields: { to: 'order' } })
  if (days >= maxDays) fail('event.range_too_long')
  const names = [...new Set(people.toLowerCase().split(',').filter(Boolean))]
  if (names.length === 0 || names.length > maxPeople)
    fail('request.invalid', { fields: { people: 'length' } })
  const { rows } = await sql<{
    id: string
    accountName: string
    name: string
    nameEn: string
    known: boolean
  }>`
    select account.id, account.username as "accountName", person.name, person.name_en as "nameEn",
      account.id = ${viewer.accountId} or coalesce(setting.show_busy, true) as known
    from account join person on person.id = account.person_id
    left join schedule_setting setting on setting.account_id = account.id
    where account.username = any(${names}::text[]) and account.status <> 'disabled'
    order by array_position(${names}::text[], account.username)`.execute(platform.db)
  const spans = await listBusy(platform, {
    accounts: rows.filter(({ known }) => known).map(({ id }) => id),
    from: midnight(from, zone),
    to: midnight(from, zone, days + 1),
    without,
  })
  const byPerson = Map.groupBy(spans, ({ accountId }) => accountId)
  const free = freeSpans(
    spans.map(({ startsAt, endsAt }) => ({
      startsAt: Date.parse(startsAt),
      endsAt: Date.parse(endsAt),
    })),
    {
      days: Array.from({ length: days + 1 }, (_, index) =>
        Temporal.PlainDate.from(from).add({ days: index }).toString(),
      ),
      minutes,
      timeZone: zone,
      notBefore: Date.now(),
    },
  )
  return {
    people: rows.map(({ id, ...person }) => ({
      ...person,
      busy: (byPerson.get(id) ?? []).map(({ startsAt, endsAt }) => ({ startsAt, endsAt })),
    })),
    suggestions: free.map(({ startsAt, endsAt }) => ({
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
    })),
  }
}

/** Busy times of these members, as instants; members who do not share them are left out. */
export async function readBusy(
  platform: Platform,
  viewer: Pick<Member, 'accountId'>,
  accounts: readonly string[],
  span: { from: string; to: string },
) {
  const { rows } = await sql<{ id: string }>`
    select account.id::text as id from account left join schedule_setting setting on setting.account_id = account.id
    where account.id = any(${accounts as string[]}::bigint[])
      and (account.id = ${viewer.accountId} or coalesce(setting.show_busy, true))`.execute(
    platform.db,
  )
  const sharing = rows.map(({ id }) => id)
  const spans = await listBusy(platform, { accounts: sharing, ...span, without: undefined })
  const byAccount = Map.groupBy(spans, ({ accountId }) => accountId)
  return new Map(sharing.map((id) => [id, byAccount.get(id) ?? []]))
}

async function listBusy(
  { db }: Platform,
  {
    accounts,
    from,
    to,
    without,
  }: { accounts: readonly string[]; from: string; to: string; without: string | undefined },
) {
  const { rows } = await sql<{ accountId: string; startsAt: string; endsAt: string }>`
    with of_person as (
      select owner_account_id as account_id, id as calendar_id from calendar
      where owner_account_id = any(${accounts as string[]}::bigint[])
      union all
      select account_id, calendar_id from calendar_member where account_id = any(${accounts as string[]}::bigint[])
    ), hit as (
      select of_person.account_id, o.event_id, o.starts_at, o.ends_at from of_person
      join event_occurrence o on o.calendar_id = of_person.calendar_id and not o.long
        and o.starts_at < ${to} and o.starts_at > ${from}::timestamptz - interval '1 day' and o.ends_at > ${from}
      union
      select of_person.account_id, o.event_id, o.starts_at, o.ends_at from of_person
      join event_occurrence o on o.calendar_id = of_person.calendar_id and o.long
        and o.ends_at > ${from} and o.starts_at < ${to}
      union
      select part.account_id, o.event_id, o.starts_at, o.ends_at from event_participant part
      join event_occurrence o on o.event_id = part.event_id and o.starts_at < ${to} and o.ends_at > ${from}
      where part.account_id = any(${accounts as string[]}::bigint[]) and part.answer <> 'no'
    )
    select hit.account_id::text as "accountId", hit.starts_at as "startsAt", hit.ends_at as "endsAt" from hit
    join event on event.id = hit.event_id
    left join event_participant declined on declined.event_id = event.id and declined.account_id = hit.account_id
    where event.busy and event.id is distinct from ${without ?? null}::bigint and declined.answer is distinct from 'no'
    order by hit.starts_at limit ${maxSpans}`.execute(db)
  return rows
}
