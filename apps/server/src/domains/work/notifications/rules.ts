/** When a member wants to be notified. Times are HH:MM in the member's time zone. */
export type Attention = {
  /** null: no quiet hours; they may span midnight */
  quietFrom: string | null
  quietUntil: string | null
  /** days of the week without notifications, 1 Monday to 7 Sunday; not all seven */
  daysOff: readonly number[]
  digest: 'none' | 'daily' | 'weekly'
  digestAt: string
  /** 1 Monday to 7 Sunday */
  digestDay: number
  /** maximum notifications per hour; 0: unlimited */
  maxPerHour: number
}

/** A message to be announced. Times are in ms since 1970. */
export type QueuedMessage = {
  id: string
  at: number
  urgent: boolean
  /** equal for messages with the same text */
  says: string
}

/** A notification that was sent. */
export type SentNotification = { at: number; urgent: boolean; says: readonly string[] }

export type Decision = {
  /** urgent ones, each sent separately */
  urgent: readonly QueuedMessage[]
  /** the others that are due, sent as one notification */
  bundle: readonly QueuedMessage[]
  /** already announced within the hour: they stay in the inbox without another notification */
  repeated: readonly QueuedMessage[]
  held: readonly QueuedMessage[]
  /** when to decide again, in ms; undefined if nothing is held */
  wakeAt: number | undefined
}

const hour = 3_600_000

/**
 * Decides what goes out now and what waits. Urgent messages go out immediately; the others wait for the end of quiet
 * hours and days off, for the digest, and for the hourly limit. Nothing goes out early, and only repetitions are
 * dropped.
 */
export function decide(
  now: number,
  zone: string,
  attention: Attention,
  waiting: readonly QueuedMessage[],
  sent: readonly SentNotification[],
): Decision {
  const announcedTexts = new Set(
    sent.filter(({ at }) => at > now - hour).flatMap(({ says }) => says),
  )
  const repeated: QueuedMessage[] = []
  const urgent: QueuedMessage[] = []
  const due: QueuedMessage[] = []
  const held: QueuedMessage[] = []
  let wakeAt: number | undefined
  const scheduleWake = (at: number) => {
    wakeAt = Math.min(wakeAt ?? at, at)
  }
  for (const message of [...waiting].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) {
    if (announcedTexts.has(message.says)) {
      repeated.push(message)
      continue
    }
    const at = message.urgent ? now : dueAt(message.at, now, zone, attention)
    if (at > now) {
      held.push(message)
      scheduleWake(at)
      continue
    }
    announcedTexts.add(message.says)
    ;(message.urgent ? urgent : due).push(message)
  }
  if (due.length === 0) return { urgent, bundle: [], repeated, held, wakeAt }
  const freeAt = limitEndsAt(now, attention.maxPerHour, sent)
  if (freeAt <= now) return { urgent, bundle: due, repeated, held, wakeAt }
  scheduleWake(freeAt)
  return { urgent, bundle: [], repeated, held: [...held, ...due], wakeAt }
}

/** When a message received at `at` may be announced: immediately or with the next digest, but not in quiet times. */
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
    // A time skipped by a clock change is taken an hour later; a repeated one at its first occurrence.
    const digestTime = day.toZonedDateTime({ timeZone: zone, plainTime: digestAt })
    if (digestTime.epochMilliseconds > at) return digestTime.epochMilliseconds
  }
  throw new Error('a week has no digest')
}

/** The first moment from `at` on that is outside quiet hours and days off. */
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
  // When clocks go back, the end found may lie in the past although the local time is before it again: retry in a
  // minute.
  return end.epochMilliseconds > time.epochMilliseconds
    ? end.epochMilliseconds
    : time.epochMilliseconds + 60_000
}

/** When another notification may go out without exceeding the hourly limit. */
function limitEndsAt(now: number, maxPerHour: number, sent: readonly SentNotification[]): number {
  if (maxPerHour === 0) return now
  const recent = sent
    .filter(({ at, urgent }) => !urgent && at > now - hour)
    .map(({ at }) => at)
    .sort((a, b) => b - a)
  const oldest = recent[maxPerHour - 1]
  return oldest === undefined ? now : oldest + hour
}
