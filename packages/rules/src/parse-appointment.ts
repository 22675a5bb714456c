// Over 400 lines: one grammar whose rules take parts of the same line in a fixed order.
/** Details of an event found in a pasted line; those not found are left out. */
export type ParsedAppointment = {
  title: string
  /** YYYY-MM-DD */
  day?: string
  /** HH:MM */
  starts?: string
  ends?: string
  minutes?: number
  location?: string
  url?: string
  /** RFC 5545, without an end */
  rrule?: string
}
/** The current day and time, the reference for relative days. */
type Today = { day: string; time: string }

const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
/** 0 is Monday. */
const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
const twoDigits = (value: number) => String(value).padStart(2, '0')
const clock = (minutes: number) =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const chineseWeekdays = '一二三四五六日'
const englishWeekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const weekdayWord =
  '(mon(?:days?)?|tue(?:s|sdays?)?|wed(?:nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)'
const chineseNumber = '([0-9]{1,3}|[零一二两三四五六七八九十]{1,3})'

/** 十二, 两, 12 */
function parseNumber(text: string) {
  if (/^\d+$/.test(text)) return Number(text)
  const digits = '零一二三四五六七八九'
  const digit = (one: string | undefined) => (one === '两' ? 2 : digits.indexOf(one ?? ''))
  if (!text.includes('十')) return [...text].reduce((sum, one) => sum * 10 + digit(one), 0)
  const [tens = '', ones = ''] = text.split('十')
  return (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0)
}

/**
 * Parses one pasted line of Chinese or English: "明天下午三点 教三305 组会", "Tue 3pm seminar Room 12". Each recognised part is
 * removed from the line; the remainder is the title.
 */
export function parseAppointment(line: string, today: Today): ParsedAppointment {
  const rest = new Remainder(line)
  const url = rest.take(/https:\/\/[^\s，。；、<>"]+/i)?.[0]
  const repeat = takeRepeat(rest, today)
  const day = repeat?.day ?? takeDay(rest, today)
  const times = takeTimes(rest, day?.dayPart)
  const location = takeLocation(rest)
  const found = resolveDay(times.starts, day, today)
  return {
    title: rest.words(),
    ...(found && { day: found }),
    ...times,
    ...(location && { location }),
    ...(url && { url }),
    ...(repeat && { rrule: repeat.rrule }),
  }
}

/** A time without a day means its next occurrence; so does a time on today's weekday. */
function resolveDay(starts: string | undefined, found: FoundDay | undefined, { day, time }: Today) {
  if (!found) return starts && (starts > time ? day : addDays(day, 1))
  const isPast = found.mayBePast && found.day === day && starts !== undefined && starts <= time
  return isPast ? addDays(day, 7) : found.day
}

/** The part of the line not yet recognised. */
class Remainder {
  #text: string
  constructor(line: string) {
    this.#text = ` ${line.normalize('NFKC').slice(0, 500).replace(/\s+/g, ' ')} `
  }
  /** Matches a part and removes it. */
  take(pattern: RegExp) {
    const match = pattern.exec(this.#text)
    if (match)
      this.#text = `${this.#text.slice(0, match.index)} ${this.#text.slice(match.index + match[0].length)}`
    return match
  }
  /** The remaining words. */
  words() {
    return this.#text
      .replace(/\s+/g, ' ')
      .replace(/^[\s,.:;，。：；、\-–—]+|[\s,.:;，。：；、\-–—]+$/g, '')
      .replace(/^(?:at|on|in|from)\s+(?=\S)/i, '')
      .replace(/\s(?:at|on|in|from|@|在|于)$/i, '')
      .slice(0, 200)
      .trim()
  }
}

/** `dayPart`: in Chinese. */
type FoundDay = { day: string; mayBePast?: boolean; dayPart?: string | undefined }

/** The next such weekday; may be today. */
const nextWeekday = (today: string, weekday: number) =>
  addDays(today, (weekday - weekdayOf(today) + 7) % 7)

function takeRepeat(
  rest: Remainder,
  { day }: Today,
): { rrule: string; day?: FoundDay } | undefined {
  const weekly = (every: number, weekday: number) => ({
    rrule: `FREQ=WEEKLY${every > 1 ? `;INTERVAL=${every}` : ''};BYDAY=${weekdayCodes[weekday]}`,
    day: { day: nextWeekday(day, weekday), mayBePast: true },
  })
  const workdays = () =>
    rest.take(/每个?工作日|\bevery (?:weekday|working day)s?\b|\bweekdays\b/i) && {
      rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      day: { day: weekdayOf(day) > 4 ? addDays(day, 7 - weekdayOf(day)) : day },
    }
  const chineseWeek = () => {
    const match = rest.take(
      new RegExp(
        `每(?:隔?${chineseNumber}个?|个)?(?:周|星期|礼拜)的?(?:周|星期)?([一二三四五六日天])`,
      ),
    )
    if (!match) return undefined
    const weekday = chineseWeekdays.indexOf((match[2] ?? '').replace('天', '日'))
    return weekly(match[1] ? parseNumber(match[1]) : 1, weekday)
  }
  const englishWeek = () => {
    const match =
      rest.take(new RegExp(`\\bevery (other )?${weekdayWord}\\b`, 'i')) ??
      rest.take(new RegExp(`\\b(?:weekly|every week)(?: on)?( )${weekdayWord}\\b`, 'i'))
    const weekday = englishWeekdays.indexOf((match?.[2] ?? '').slice(0, 3).toLowerCase())
    return match ? weekly(match[1]?.trim() ? 2 : 1, weekday) : undefined
  }
  const monthly = () => {
    const match = rest.take(/每个?月(\d{1,2})[日号]/)
    const date = Number(match?.[1])
    if (!match || date < 1 || date > 31) return undefined
    const found = dayOfMonth(day, date)
    return { rrule: `FREQ=MONTHLY;BYMONTHDAY=${date}`, ...(found && { day: { day: found } }) }
  }
  const plain = () => {
    if (rest.take(/每天|每日|\b(?:every day|daily)\b/i)) return { rrule: 'FREQ=DAILY' }
    if (rest.take(/每周|每星期|\b(?:every week|weekly)\b/i)) return { rrule: 'FREQ=WEEKLY' }
    if (rest.take(/每个?月|\b(?:every month|monthly)\b/i)) return { rrule: 'FREQ=MONTHLY' }
    if (rest.take(/每年|\b(?:every year|yearly)\b/i)) return { rrule: 'FREQ=YEARLY' }
    return undefined
  }
  return workdays() ?? chineseWeek() ?? englishWeek() ?? monthly() ?? plain()
}

function takeDay(rest: Remainder, { day }: Today): FoundDay | undefined {
  return (
    takeDate(rest, day) ??
    takeRelativeDay(rest, day) ??
    takeChineseWeekday(rest, day) ??
    takeEnglishWeekday(rest, day)
  )
}

function takeDate(rest: Remainder, today: string): FoundDay | undefined {
  const year = today.slice(0, 4)
  const whole = rest.take(/\b(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?:[日号]|(?!\d))/)
  if (whole) return dateOf(whole[1] ?? year, whole[2], whole[3])
  const chinese =
    rest.take(/\b(\d{1,2})月(\d{1,2})[日号]?/) ?? rest.take(/\b()(\d{1,2})[日号](?!\d)/)
  if (chinese) {
    if (chinese[1]) return nextDate(today, Number(chinese[1]), chinese[2])
    const found = dayOfMonth(today, Number(chinese[2]))
    return found ? { day: found } : undefined
  }
  const ordinal = '(\\d{1,2})(?:st|nd|rd|th)?'
  const dayFirst = rest.take(
    new RegExp(`\\b${ordinal}(?: of)? ${monthWord}\\b(?:,? (\\d{4})\\b)?`, 'i'),
  )
  const english =
    dayFirst ?? rest.take(new RegExp(`\\b${monthWord} ${ordinal}\\b(?:,? (\\d{4})\\b)?`, 'i'))
  if (!english) return undefined
  const [date, month] = dayFirst ? [english[1], english[2]] : [english[2], english[1]]
  const number = months.indexOf((month ?? '').slice(0, 3).toLowerCase()) + 1
  return english[3] ? dateOf(english[3], String(number), date) : nextDate(today, number, date)
}

function dateOf(year: string, month: string | undefined, date: string | undefined) {
  const day = `${year}-${twoDigits(Number(month))}-${twoDigits(Number(date))}`
  const moment = Date.parse(`${day}T00:00:00Z`)
  const exists = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day)
  return exists ? { day } : undefined
}

/** A date without a year means its next occurrence. */
function nextDate(today: string, month: number, date: string | undefined) {
  const year = Number(today.slice(0, 4))
  const found = dateOf(String(year), String(month), date)
  return found && found.day < today ? dateOf(String(year + 1), String(month), date) : found
}

/** The next such day of a month. */
function dayOfMonth(today: string, date: number) {
  for (let day = today, count = 0; count < 62; day = addDays(day, 1), count++)
    if (Number(day.slice(8)) === date) return day
  return undefined
}

const englishDayParts: Record<string, string> = {
  morning: '早上',
  afternoon: '下午',
  evening: '晚上',
  night: '晚上',
}
const englishDayPart = '(?: (morning|afternoon|evening|night))?\\b'

function takeRelativeDay(rest: Remainder, today: string): FoundDay | undefined {
  const words: [RegExp, number][] = [
    [/大后天/, 3],
    [/后天|\b(?:the )?day after tomorrow\b/i, 2],
    [new RegExp(`明天|明日|明(?=早|晚)|\\b(?:tomorrow|tmrw|tmr)${englishDayPart}`, 'i'), 1],
    [/今天|今日|今(?=早|晚)|\btoday\b|\bthis (morning|afternoon|evening)\b|\bto(night)\b/i, 0],
  ]
  for (const [word, count] of words) {
    const match = rest.take(word)
    if (match)
      return {
        day: addDays(today, count),
        dayPart: englishDayParts[(match[1] ?? match[2] ?? '').toLowerCase()],
      }
  }
  const later = rest.take(
    new RegExp(`${chineseNumber}天[之以]?后|\\bin ()(\\d{1,2}) days?\\b`, 'i'),
  )
  if (!later) return undefined
  return { day: addDays(today, later[1] ? parseNumber(later[1]) : Number(later[3])) }
}

function takeChineseWeekday(rest: Remainder, today: string): FoundDay | undefined {
  const match = rest.take(/(下下个?|下个?|本|这个?)?(?:周|星期|礼拜)([一二三四五六日天])/)
  if (!match) return undefined
  const [, weekWord = '', name = ''] = match
  const weekday = chineseWeekdays.indexOf(name.replace('天', '日'))
  if (!weekWord) return { day: nextWeekday(today, weekday), mayBePast: true }
  const weeks = weekWord.startsWith('下下') ? 2 : weekWord.startsWith('下') ? 1 : 0
  return { day: addDays(today, weekday - weekdayOf(today) + 7 * weeks) }
}

function takeEnglishWeekday(rest: Remainder, today: string): FoundDay | undefined {
  const match = rest.take(new RegExp(`\\b(?:on )?(?:(next|this) )?${weekdayWord}\\b\\.?`, 'i'))
  if (!match) return undefined
  const weekday = englishWeekdays.indexOf((match[2] ?? '').slice(0, 3).toLowerCase())
  if (match[1]?.toLowerCase() === 'next')
    return { day: addDays(today, weekday - weekdayOf(today) + 7) }
  return { day: nextWeekday(today, weekday), mayBePast: true }
}
type Times = { starts?: string; ends?: string; minutes?: number }

function takeTimes(rest: Remainder, dayPart: string | undefined): Times {
  const minutes = takeDuration(rest)
  const times = takeChineseTimes(rest) ?? takeClockTimes(rest) ?? takeEnglishTimes(rest, dayPart)
  return { ...times, ...(minutes !== undefined && times && !times.ends && { minutes }) }
}

function takeDuration(rest: Remainder) {
  const hours =
    rest.take(new RegExp(`${chineseNumber}个?(半)?小时(半)?`)) ??
    rest.take(/\b(?:for )?(\d{1,2}(?:\.5)?|an) ?(?:hours?|hrs?|h)\b/i)
  if (hours) {
    const [, count = '', ...half] = hours
    const whole = /^an$/i.test(count) ? 1 : count.includes('.') ? Number(count) : parseNumber(count)
    return whole * 60 + (half.some(Boolean) ? 30 : 0)
  }
  if (rest.take(/半个?小时|\b(?:for )?half an hour\b/i)) return 30
  const minutes =
    rest.take(new RegExp(`${chineseNumber}分钟`)) ??
    rest.take(/\b(?:for )?(\d{1,3}) ?min(?:ute)?s?\b/i)
  return minutes ? parseNumber(minutes[1] ?? '') : undefined
}

const dayParts = '(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|早|晚)'
const chineseTime = `${dayParts}?${chineseNumber}(?:点钟?|时)(半|一刻|三刻|(?:[0-9]{1,2}|[零一二三四五十]{1,3})分?)?`

function takeChineseTimes(rest: Remainder): Times | undefined {
  const range = rest.take(new RegExp(`${chineseTime}[到至\\-–—~](?:${chineseTime})`))
  if (range) {
    const starts = chineseMinutes(range[1], range[2], range[3])
    return timesOf(
      starts,
      endAfter(starts, chineseMinutes(range[4] ?? range[1], range[5], range[6])),
    )
  }
  const short = rest.take(new RegExp(`${dayParts}?(\\d{1,2})[到至\\-–—~](\\d{1,2})(?:点钟?|时)`))
  if (short) {
    const starts = chineseMinutes(short[1], short[2], undefined)
    return timesOf(starts, endAfter(starts, chineseMinutes(short[1], short[3], undefined)))
  }
  const one = rest.take(new RegExp(chineseTime))
  if (one) return timesOf(chineseMinutes(one[1], one[2], one[3]))
  return undefined
}

function chineseMinutes(dayPart: string | undefined, hours = '', minutes = '') {
  const fractionMinutes =
    minutes === '半' ? 30 : minutes === '一刻' ? 15 : minutes === '三刻' ? 45 : -1
  const count =
    fractionMinutes >= 0 ? fractionMinutes : minutes ? parseNumber(minutes.replace('分', '')) : 0
  return withDayPart(dayPart, parseNumber(hours) * 60 + count)
}

/** Applies the part of the day (afternoon, evening) to an hour; without one, hours 1 to 6 are in the afternoon. */
function withDayPart(dayPart: string | undefined, minutes: number) {
  const hour = Math.floor(minutes / 60)
  if (hour >= 13) return minutes
  if (!dayPart) return hour >= 1 && hour <= 6 ? minutes + 720 : minutes
  if (/下午|傍晚|晚|夜/.test(dayPart)) {
    // 晚上12点 is midnight.
    if (hour === 12) return /晚|夜/.test(dayPart) ? minutes + 720 : minutes
    return minutes + 720
  }
  if (dayPart === '中午') return hour < 6 ? minutes + 720 : minutes
  return hour === 12 && /凌晨/.test(dayPart) ? minutes - 720 : minutes
}

/** 14:00–16:00, 下午3:30, 3:30 pm */
function takeClockTimes(rest: Remainder): Times | undefined {
  const match = rest.take(
    new RegExp(
      `(?:\\b(?:at|from) )?${dayParts}? ?\\b(\\d{1,2}):(\\d{2})(?: ?(am|pm))?(?: ?(?:[到至\\-–—~]|to|until) ?${dayParts}?(\\d{1,2}):(\\d{2})(?: ?(am|pm))?)?(?!\\d)`,
      'i',
    ),
  )
  if (!match) return undefined
  const [, dayPart, hours, minutes, meridiem, endDayPart, endHours, endMinutes, endMeridiem] = match
  const read = (hour = '', minute = '', partOfDay?: string, amPm?: string) => {
    const count = Number(hour) * 60 + Number(minute)
    if (amPm) return withMeridiem(amPm, count)
    return partOfDay ? withDayPart(partOfDay, count) : count
  }
  const starts = read(
    hours,
    minutes,
    dayPart,
    meridiem ?? (endMeridiem && meridiemBefore(hours, endHours, endMeridiem)),
  )
  if (!endHours) return timesOf(starts)
  return timesOf(
    starts,
    endAfter(starts, read(endHours, endMinutes, endDayPart ?? dayPart, endMeridiem ?? meridiem)),
  )
}

/** 3pm, 3–5pm, at 3, noon */
function takeEnglishTimes(rest: Remainder, dayPart: string | undefined): Times | undefined {
  const range = rest.take(
    /\b(?:from |at )?(\d{1,2}) ?(am|pm)? ?(?:-|–|—|to|until) ?(\d{1,2})(?::(\d{2}))? ?(am|pm)\b/i,
  )
  if (range) {
    const [, first, meridiem, last, minutes, lastMeridiem = ''] = range
    const starts = withMeridiem(
      meridiem ?? meridiemBefore(first, last, lastMeridiem),
      Number(first) * 60,
    )
    return timesOf(
      starts,
      endAfter(starts, withMeridiem(lastMeridiem, Number(last) * 60 + Number(minutes ?? 0))),
    )
  }
  const one = rest.take(/\b(?:at )?(\d{1,2}) ?(am|pm)\b/i)
  if (one) return timesOf(withMeridiem(one[2] ?? '', Number(one[1]) * 60))
  if (rest.take(/\b(?:at )?noon\b|正午/i)) return timesOf(720)
  const match = rest.take(/\bat (\d{1,2})(?=\s)/i)
  return match ? timesOf(withDayPart(dayPart, Number(match[1]) * 60)) : undefined
}

/** 11–1pm begins in the morning, 3–5pm does not. */
const meridiemBefore = (first: string | undefined, last: string | undefined, meridiem: string) =>
  Number(first) % 12 > Number(last) % 12 && /pm/i.test(meridiem) ? 'am' : meridiem

const withMeridiem = (meridiem: string, minutes: number) =>
  minutes >= 780 ? minutes : (minutes % 720) + (/pm/i.test(meridiem) ? 720 : 0)

/** "三点到五点": the end is in the same half of the day as the start. */
const endAfter = (starts: number, ends: number) =>
  ends <= starts && ends + 720 > starts ? ends + 720 : ends

function timesOf(starts: number, ends?: number): Times | undefined {
  if (starts >= 1440 || starts < 0) return undefined
  const hasEnd = ends !== undefined && ends > starts && ends < 1440
  return { starts: clock(starts), ...(hasEnd && { ends: clock(ends) }) }
}

const numberedRoom = '[\\p{Script=Han}A-Za-z]{0,8}\\d{2,4}(?:号?会议室|教室|室)?'
const building =
  '[\\p{Script=Han}A-Za-z0-9]{1,12}(?:会议室|教室|报告厅|图书馆|体育馆|食堂|礼堂|楼|厅|室|馆)'
const boundary = '(?=[\\s,，;；。])'
const chinesePlace = new RegExp(
  `[\\s,，](${numberedRoom}|${building}|腾讯会议|线上)${boundary}`,
  'u',
)
const placeAfterWord = new RegExp(`[在@] ?(${numberedRoom}|[^\\s,，;；。]{2,30}${boundary})`, 'u')
const roomWord = '(?:[Rr]oom|[Rr]m|[Hh]all|[Bb]uilding|[Ll]ab|[Ll]ibrary|[Aa]uditorium)'
const englishPlace = new RegExp(
  `\\b(?:(?:[Aa]t|[Ii]n) (?:the )?)?((?:[A-Z][a-z]+ )?${roomWord} [A-Z]?\\d[\\w-]*|[A-Z][\\w-]* ${roomWord})\\b`,
)

/** 在教三305, at Room 12, 腾讯会议, 图书馆报告厅 */
function takeLocation(rest: Remainder) {
  const found =
    rest.take(/(?:地点|location|place|venue): ?([^\s,，;；。]+)/i) ??
    rest.take(placeAfterWord) ??
    rest.take(englishPlace) ??
    rest.take(chinesePlace)
  return found?.[1]
}
