/** What a recurrence rule says, as far as people say it in a sentence. Weekdays: 0 is Monday. */
export type Recurrence = {
  unit: 'day' | 'week' | 'month' | 'year'
  every: number
  /** Weekly: on these. */
  weekdays: number[]
  /** Monthly: on this day, -1 the last; or on the so-manieth (-1 the last) of a weekday. */
  monthDay?: number
  nth?: { place: number; weekday: number }
  count?: number
  /** YYYY-MM-DD */
  until?: string
}

const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const known = new Set('FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH COUNT UNTIL WKST'.split(' '))

/** The rule in parts, or undefined where it says something no short sentence does. */
export function parseRule(rrule: string): Recurrence | undefined {
  const pairs = rrule.replace(/^RRULE:/i, '').split(';')
  const rule = new Map(pairs.map((pair) => pair.toUpperCase().split('=') as [string, string]))
  const unit = units[(rule.get('FREQ') ?? '') as keyof typeof units]
  if (!unit || [...rule.keys()].some((name) => !known.has(name))) return undefined
  const recurrence: Recurrence = { unit, every: Number(rule.get('INTERVAL') ?? 1), weekdays: [] }

  const days = (rule.get('BYDAY') ?? '').split(',').filter(Boolean).map(parseDay)
  if (days.includes(undefined)) return undefined
  const plain = days.flatMap((day) => (day && day.place === 0 ? day.weekday : []))
  const monthDays = rule.get('BYMONTHDAY')
  if (unit === 'week' && plain.length === days.length) recurrence.weekdays = plain.sort()
  else if (unit === 'month' && days.length === 1 && days[0]?.place) recurrence.nth = days[0]
  else if (days.length > 0) return undefined
  if (monthDays !== undefined) {
    if (unit === 'day' || unit === 'week' || recurrence.nth || !/^(-1|\d{1,2})$/.test(monthDays))
      return undefined
    if (unit === 'month') recurrence.monthDay = Number(monthDays)
  }
  if (rule.has('BYMONTH') && unit !== 'year') return undefined

  const until = /^(\d{4})(\d{2})(\d{2})/.exec(rule.get('UNTIL') ?? '')
  if (until) recurrence.until = until.slice(1).join('-')
  if (rule.has('COUNT')) recurrence.count = Number(rule.get('COUNT'))
  return recurrence
}

function parseDay(text: string) {
  const match = /^([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text)
  const place = Number(match?.[1] ?? 0)
  if (!match || place < -1 || place > 5) return undefined
  return { place, weekday: weekdays.indexOf(match[2] ?? '') }
}
