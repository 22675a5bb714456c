/**
 * Weekly opening hours, in a subset of the OpenStreetMap notation: `Mo-Fr 08:00-22:00; Sa,Su 09:00-12:00,14:00-21:00;
 * Th off` and `24/7`. A later rule replaces an earlier one for its days; `18:00-02:00` ends the day after.
 */
export type WeeklyHours = readonly (readonly Span[])[]
/** Minutes since midnight at the start of the day. */
type Span = readonly [from: number, until: number]

const days = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const dayLength = 1440
const maxLength = 200

/** The spans of each day, Monday first; undefined if the text is not in this notation. */
export function parseOpeningHours(text: string): WeeklyHours | undefined {
  if (text.length > maxLength) return undefined
  if (text.trim() === '24/7') return days.map(() => [[0, dayLength]])
  const week: Span[][] = days.map(() => [])
  const rules = text.split(';').map((rule) => rule.trim())
  for (const rule of rules) {
    const [, dayList, hours] = /^(?:([A-Z][a-z](?:[-,][A-Z][a-z])*)\s+)?(\S+)$/.exec(rule) ?? []
    if (!hours) return undefined
    const spans = hours === 'off' ? [] : hours.split(',').map(spanOf)
    const ruleDays = dayList ? daysOf(dayList) : days.map((_, day) => day)
    if (!ruleDays || !spans.every((span) => span !== undefined)) return undefined
    for (const day of ruleDays) week[day] = [...spans].sort(([one], [other]) => one - other)
  }
  return week
}

function daysOf(text: string): number[] | undefined {
  const found: number[] = []
  for (const part of text.split(',')) {
    const [from = '', to = from] = part.split('-')
    const [first, last] = [days.indexOf(from), days.indexOf(to)]
    if (first < 0 || last < 0) return undefined
    for (let day = first; ; day = (day + 1) % 7) {
      found.push(day)
      if (day === last) break
    }
  }
  return found
}

function spanOf(text: string): Span | undefined {
  const [, h1, m1, h2, m2] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text) ?? []
  const [from, to] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)]
  if (!(from < dayLength && to <= dayLength) || Number(m1) > 59 || Number(m2) > 59) return undefined
  return [from, to > from ? to : to + dayLength]
}

export type OpeningState = {
  open: boolean
  /** when `open` changes next: days from today and minutes of that day; undefined: never */
  changes: { inDays: number; minute: number } | undefined
}

/** @param weekday 0 is Monday @param minute of the day, local time of the place */
export function openingState(week: WeeklyHours, weekday: number, minute: number): OpeningState {
  const spans: [number, number][] = []
  // From yesterday, whose night may reach into today, to a week ahead.
  for (let ahead = -1; ahead <= 7; ahead++)
    for (const [from, until] of week[(weekday + ahead + 7) % 7] ?? []) {
      const [start, end] = [ahead * dayLength + from, ahead * dayLength + until]
      const last = spans[spans.length - 1]
      // Merge adjacent and overlapping spans.
      if (last && start <= last[1]) last[1] = Math.max(last[1], end)
      else spans.push([start, end])
    }
  const now = spans.find(([start, end]) => start <= minute && minute < end)
  const changeAt = now ? now[1] : spans.find(([start]) => start > minute)?.[0]
  // Open to the end of the examined period: it does not close.
  const neverChanges = changeAt === undefined || changeAt >= 8 * dayLength
  return {
    open: now !== undefined,
    changes: neverChanges
      ? undefined
      : { inDays: Math.floor(changeAt / dayLength), minute: changeAt % dayLength },
  }
}

/** The week as lines: consecutive days with equal hours share one. */
export function weekLines(
  week: WeeklyHours,
): { from: number; to: number; spans: readonly Span[] }[] {
  const lines: { from: number; to: number; spans: readonly Span[] }[] = []
  for (const [day, spans] of week.entries()) {
    const last = lines[lines.length - 1]
    if (last && String(last.spans) === String(spans)) last.to = day
    else lines.push({ from: day, to: day, spans })
  }
  return lines
}

/** HH:MM; 24:00 is the end of a day. */
export const clockOf = (minute: number) => {
  const within = minute > dayLength ? minute - dayLength : minute
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}
