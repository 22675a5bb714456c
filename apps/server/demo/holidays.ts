import { addDays, type Day } from './dates.ts'

export type DemoHoliday = { day: Day; name: string; nameEn: string; off: boolean }

type Name = [name: string, nameEn: string]
const names = {
  newYear: ['元旦', 'New Year’s Day'],
  spring: ['春节', 'Spring Festival'],
  qingming: ['清明节', 'Qingming Festival'],
  labour: ['劳动节', 'Labour Day'],
  dragonBoat: ['端午节', 'Dragon Boat Festival'],
  midAutumn: ['中秋节', 'Mid-Autumn Festival'],
  national: ['国庆节', 'National Day'],
} satisfies Record<string, Name>

/** The State Council announces each year's holidays and exchanged working days late in the previous year. */
const announced: Record<
  number,
  [keyof typeof names, from: string, to: string, worked: string[]][]
> = {
  2026: [
    ['newYear', '01-01', '01-03', ['01-04']],
    ['spring', '02-15', '02-23', ['02-14', '02-28']],
    ['qingming', '04-04', '04-06', []],
    ['labour', '05-01', '05-05', ['05-09']],
    ['dragonBoat', '06-19', '06-21', []],
    ['midAutumn', '09-25', '09-27', []],
    ['national', '10-01', '10-07', ['09-20', '10-10']],
  ],
}

/** Holidays of these years: as announced if known, otherwise the statutory days. */
export function holidaysOf(years: number[]): DemoHoliday[] {
  return years
    .flatMap((year) => (announced[year] ? arranged(year) : statutory(year)))
    .sort((one, other) => (one.day < other.day ? -1 : 1))
}

function arranged(year: number): DemoHoliday[] {
  return (announced[year] ?? []).flatMap(([key, from, to, worked]) => [
    ...span(key, `${year}-${from}`, `${year}-${to}`),
    ...worked.map((day) => ({
      day: `${year}-${day}`,
      name: `${names[key][0]}调休上班`,
      nameEn: `Working day for ${names[key][1]}`,
      off: false,
    })),
  ])
}

function statutory(year: number): DemoHoliday[] {
  const lunar = lunarDays(year)
  const first = lunar.get('1-1') as Day
  // Day of the solar term in this century (Shouxing formula): 4 or 5 April.
  const short = year % 100
  const qingming = Math.floor(short * 0.2422 + 4.81) - Math.floor(short / 4)
  const single = (key: keyof typeof names, day: Day) => span(key, day, day)
  const days = [
    ...single('newYear', `${year}-01-01`),
    ...span('spring', addDays(first, -1), addDays(first, 2)),
    ...single('qingming', `${year}-04-0${qingming}`),
    ...span('labour', `${year}-05-01`, `${year}-05-02`),
    ...single('dragonBoat', lunar.get('5-5') as Day),
    ...single('midAutumn', lunar.get('8-15') as Day),
    ...span('national', `${year}-10-01`, `${year}-10-03`),
  ]
  // Mid-Autumn can fall on National Day: keep one row per day.
  return days.filter(({ day }, at) => days.findIndex((other) => other.day === day) === at)
}

function span(key: keyof typeof names, from: Day, to: Day): DemoHoliday[] {
  const list: DemoHoliday[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    list.push({ day, name: names[key][0], nameEn: names[key][1], off: true })
  }
  return list
}

/** Maps `month-day` of the Chinese calendar to days of this year; leap months are skipped. */
function lunarDays(year: number) {
  const format = new Intl.DateTimeFormat('en-u-ca-chinese', {
    timeZone: 'UTC',
    month: 'numeric',
    day: 'numeric',
  })
  const found = new Map<string, Day>()
  for (let day = `${year}-01-01`; day <= `${year}-12-31`; day = addDays(day, 1)) {
    const parts = format.formatToParts(new Date(`${day}T00:00:00Z`))
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
    const key = `${part('month')}-${part('day')}`
    // January still belongs to the previous lunar year: start at its first day.
    if (key === '1-1') found.clear()
    if (!found.has(key)) found.set(key, day)
  }
  return found
}
