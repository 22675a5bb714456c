import type { SendingHours } from '@atrium/contract/work/sending'
import type { SendingPolicy } from '@atrium/contract/work/sending.operator'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'

const defaults: SendingPolicy = {
  held: false,
  approveAbove: 1000,
  maxRecipients: null,
  hours: null,
  kindsInPart: ['notice', 'event'],
  members: false,
}

/** The institution's sending policy. */
export async function getPolicy(db: Db): Promise<SendingPolicy> {
  const row = await db.selectFrom('sending_policy').select('policy').executeTakeFirst()
  return { ...defaults, ...(row?.policy as unknown as SendingPolicy | undefined) }
}

export async function savePolicy(db: Db, policy: SendingPolicy) {
  const text = JSON.stringify(policy)
  await db
    .insertInto('sending_policy')
    .values({ policy: text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ policy: text }))
    .execute()
  await announce(db, { kind: 'sending', key: '' })
}

/**
 * When sending is next allowed. Hours that end before they begin span midnight.
 * @param now in ms
 * @returns ms; `now` if within the hours
 */
export function nextSendingTime(
  { from, until }: SendingHours,
  timeZone: string,
  now: number,
): number {
  const localNow = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const clock = localNow.toPlainTime()
  const isBefore = (one: Temporal.PlainTime, other: string) =>
    Temporal.PlainTime.compare(one, Temporal.PlainTime.from(other)) < 0
  const hasOpened = !isBefore(clock, from)
  const open =
    from <= until ? hasOpened && isBefore(clock, until) : hasOpened || isBefore(clock, until)
  if (open) return now
  const day = hasOpened ? localNow.toPlainDate().add({ days: 1 }) : localNow.toPlainDate()
  return day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(from) })
    .epochMilliseconds
}
