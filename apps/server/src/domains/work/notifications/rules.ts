/** When a member wants to be reached. Times are HH:MM by the clock of the member's zone. */
export type Attention = {
  /** null: no quiet hours; they may pass midnight */
  quietFrom: string | null
  quietUntil: string | null
  /** days of the week without notifications, 1 Monday to 7 Sunday; not all seven */
  daysOff: readonly number[]
  digest: 'none' | 'daily' | 'weekly'
  digestAt: string
  /** 1 Monday to 7 Sunday */
  digestDay: number
  /** notifications in an hour; 0: any number */
  maxPerHour: number
}

/** A message that is to be announced. Times are in ms since 1970. */
export type Waiting = {
  id: string
  at: number
  urgent: boolean
  /** the same for messages that say the same */
  says: string
}

/** A notification that has gone out. */
export type Sent = { at: number; urgent: boolean; says: readonly string[] }

export type Decision = {
  /** urgent ones, each by itself */
  urgent: readonly Waiting[]
  /** the others that are due, as one notification */
  bundle: readonly Waiting[]
  /** already said within the hour: they are in the inbox and not announced again */
  repeated: readonly Waiting[]
  held: readonly Waiting[]
  /** when to decide again, in ms; nothing is held without it */
  wakeAt: number | undefined
}

const hour = 3_600_000

/**
 * What goes out now and what waits. Urgent messages pass; the rest waits for the end of quiet hours and days off, for the
 * digest, and for the hourly limit. Nothing goes out before its time, and nothing that is not a repetition is dropped.
 */
export function decide(
  now: number,
  zone: string,
  attention: Attention,
  waiting: readonly Waiting[],
  sent: readonly Sent[],
): Decision {
  const said = new Set(sent.filter(({ at }) => at > now - hour).flatMap(({ says }) => says))
  const repeated: Waiting[] = []
  const urgent: Waiting[] = []
  const due: Waiting[] = []
  const held: Waiting[] = []
  let wakeAt: number | undefined
  const wake = (at: number) => {
    wakeAt = Math.min(wakeAt ?? at, at)
  }
  for (const one of [...waiting].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) {
    if (said.has(one.says)) {
      repeated.push(one)
      continue
    }
    const at = one.urgent ? now : dueAt(one.at, now, zone, attention)
    if (at > now) {
      held.push(one)
      wake(at)
      continue
    }
    said.add(one.says)
    ;(one.urgent ? urgent : due).push(one)
  }
  if (due.length === 0) return { urgent, bundle: [], repeated, held, wakeAt }
  const freeAt = limitEndsAt(now, attention.maxPerHour, sent)
  if (freeAt <= now) return { urgent, bundle: due, repeated, held, wakeAt }
  wake(freeAt)
  return { urgent, bundle: [], repeated, held: [...held, ...due], wakeAt }
}

/** When a message that came at `at` may be announced: at once, at the next digest, after the quiet time. */
function dueAt(at: number, now: number, zone: string, attention: Attention): number {
  const first = attention.digest === 'none' ? at : nextDigest(at, zone, attention)
  return quietEndsAt(Math.max(first, now), zone, attention)
}

const zoned = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

function nextDigest(at: number, zone: string, { digest, digestAt, digestDay }: Attention): number {
  const start = zoned(at, zone)
  for (let days = 0; days <= 8; days++) {
    const day = start.toPlainDate().add({ days })
    if (digest === 'weekly' && day.dayOfWeek !== digestDay) continue
    // A time that the clock skips is taken an hour later; one that comes twice, the first time.
    const digestTime = day.toZonedDateTime({ timeZone: zone, plainTime: digestAt })
    if (digestTime.epochMilliseconds > at) return digestTime.epochMilliseconds
  }
  throw new Error('a week has no digest')
}

/** The first moment from `at` on that lies in no quiet hours and on no day off. */
export function quietEndsAt(at: number, zone: string, attention: Attention): number {
  let time = at
  // At most seven days off, each with quiet hours at both ends.
  for (let step = 0; step < 24; step++) {
    const end = quietStepEnd(zoned(time, zone), attention)
    if (end === undefined) return time
    time = end
  }
  return time
}

function quietStepEnd(
  time: Temporal.ZonedDateTime,
  { quietFrom, quietUntil, daysOff }: Attention,
): number | undefined {
  const tomorrow = time.toPlainDate().add({ days: 1 }).toZonedDateTime(time.timeZoneId)
  if (daysOff.length < 7 && daysOff.includes(time.dayOfWeek)) return tomorrow.epochMilliseconds
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return undefined
  const clock = time.toPlainTime().toString({ smallestUnit: 'minute' })
  const overnight = quietFrom > quietUntil
  const quiet = overnight
    ? clock >= quietFrom || clock < quietUntil
    : clock >= quietFrom && clock < quietUntil
  if (!quiet) return undefined
  if (overnight && clock >= quietFrom) return tomorrow.epochMilliseconds
  const end = time
    .toPlainDate()
    .toZonedDateTime({ timeZone: time.timeZoneId, plainTime: quietUntil })
  // Where the clock is put back, the hour before the end comes twice: not at the first.
  return end.epochMilliseconds > time.epochMilliseconds
    ? end.epochMilliseconds
    : time.epochMilliseconds + 60_000
}

/** When one more notification may go out without more than the limit in any hour. */
function limitEndsAt(now: number, maxPerHour: number, sent: readonly Sent[]): number {
  if (maxPerHour === 0) return now
  const recent = sent
    .filter(({ at, urgent }) => !urgent && at > now - hour)
    .map(({ at }) => at)
    .sort((a, b) => b - a)
  const oldest = recent[maxPerHour - 1]
  return oldest === undefined ? now : oldest + hour
}
