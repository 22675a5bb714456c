import { type Place, placeKinds } from '@atrium/contract/shell/map'
import { dayIn } from '@atrium/rules/day-in'
import { clockOf, openingState, parseOpeningHours, weekLines } from '@atrium/rules/opening-hours'
import { formatNumber, formatTime, formatWeekday } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { metresBetween, type Point } from './places.ts'

type Kind = Place['kind']

export function placeKindName(kind: Kind) {
  const words: Record<Kind, string> = {
    gate: m.system_kind_gate(),
    teaching: m.system_kind_teaching(),
    library: m.system_kind_library(),
    canteen: m.system_kind_canteen(),
    dormitory: m.system_kind_dormitory(),
    sports: m.system_kind_sports(),
    culture: m.system_kind_culture(),
    health: m.system_kind_health(),
    office: m.system_kind_office(),
    transport: m.system_kind_transport(),
    other: m.system_kind_other(),
  }
  return words[kind]
}

/** The kinds occurring among these places, in the order of the contract. */
export const kindsOf = (places: readonly Place[]) =>
  placeKinds.filter((kind) => places.some((place) => place.kind === kind))

export const placeName = ({ name, nameEn }: Pick<Place, 'name' | 'nameEn'>) =>
  inLanguage(name, nameEn)

export function distanceText(place: Point, here: Point) {
  const metres = metresBetween(place, here)
  return metres < 1000
    ? m.system_metres({ count: formatNumber(Math.round(metres / 10) * 10) })
    : m.system_kilometres({ count: formatNumber(Math.round(metres / 100) / 10) })
}

const dayLength = 24 * 60 * 60_000

/** Whether it is open now in the institution's time zone, and when that changes. Undefined if its hours are unknown. */
export function openingNow(hours: string, zone: string, now: number) {
  const week = parseOpeningHours(hours)
  if (!week) return undefined
  const [hour, minute] = formatTime(now, zone).split(':').map(Number)
  const today = Date.parse(dayIn(now, zone))
  const day = (new Date(today).getUTCDay() + 6) % 7
  const { open, changes } = openingState(week, day, Number(hour) * 60 + Number(minute))
  if (!changes) return { open, words: open ? m.system_open_always() : m.system_closed_always() }
  const time = clockOf(changes.minute)
  const { inDays } = changes
  const at =
    inDays === 0
      ? time
      : inDays === 1
        ? m.system_tomorrow_at({ time })
        : m.system_weekday_at({ day: formatWeekday(today + inDays * dayLength, 'UTC'), time })
  return { open, words: open ? m.system_open_until({ at }) : m.system_closed_until({ at }) }
}

/** A Monday, used to name the days of the week. */
const monday = Date.UTC(2026, 0, 5)
const dayName = (day: number) => formatWeekday(monday + day * dayLength, 'UTC')

/** The hours of the week, with equal days grouped: 周一至周五, 08:00–22:00. */
export const hoursOfWeek = (hours: string) =>
  weekLines(parseOpeningHours(hours) ?? []).map(({ from, to, spans }) => ({
    days:
      from === to
        ? dayName(from)
        : from === 0 && to === 6
          ? m.system_every_day()
          : m.system_days({ from: dayName(from), to: dayName(to) }),
    times:
      spans.map(([start, end]) => `${clockOf(start)}–${clockOf(end)}`).join(m.system_and()) ||
      m.system_closed_day(),
  }))
