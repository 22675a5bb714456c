import './canteens.css'
import type { Place } from '@atrium/contract/shell/map'
import { dayIn } from '@atrium/rules/day-in'
import { openingState, parseOpeningHours } from '@atrium/rules/opening-hours'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { minuteOfDay } from './home-focus.ts'

type CanteensProps = { places: readonly Place[]; zone: string; now: number }

/** Canteens with their opening times; each links to its place. */
export function Canteens({ places, zone, now }: CanteensProps) {
  return (
    <section className="today-canteens" aria-label={m.home_canteens()}>
      <h3 className="muted">{m.home_canteens()}</h3>
      <ul>
        {places.map(({ id, name, nameEn, address, addressEn, hours, latitude, longitude }) => (
          <li key={id}>
            <Link
              className="today-canteen"
              to="/open-location"
              search={{
                ...{ id, latitude, longitude, name: inLanguage(name, nameEn) },
                address: inLanguage(address, addressEn),
              }}
            >
              <Icon name="place" />
              <span>{inLanguage(name, nameEn)}</span>
              <span className="muted num">{openingText(hours, zone, now)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Open until 13:00 · opens at 16:45. Empty if the hours are unknown. */
function openingText(hours: string, zone: string, now: number) {
  const week = parseOpeningHours(hours)
  if (!week) return ''
  const weekday = (new Date(dayIn(now, zone)).getUTCDay() + 6) % 7
  const { open, changes } = openingState(week, weekday, minuteOfDay(now, zone))
  if (!changes) return open ? m.home_canteen_open() : m.home_canteen_closed()
  const time = clockOf(changes.minute)
  if (open) return m.home_canteen_until({ time })
  return changes.inDays === 0 ? m.home_canteen_from({ time }) : m.home_canteen_closed()
}

const clockOf = (minute: number) =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
