import { m } from '#paraglide/messages.js'
import { Link } from '#shell/link.tsx'
import { Icon } from '#ui/icon.tsx'
import { offsetOf, zoneName } from './zones.ts'

/** Says so when the schedule's clock is not the device's. */
export function ZoneNote({ zone, now }: { zone: string; now: Date }) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (offsetOf(zone, now) === offsetOf(own, now)) return null
  return (
    <Link to="/pages/shedul/timeArea" className="zone-note">
      <Icon name="globe" />
      <span>
        {m.schedule_zone_note({
          zone: `${zoneName(zone, now)} (${offsetOf(zone, now)})`,
          device: offsetOf(own, now),
        })}
      </span>
      <Icon name="chevron" />
    </Link>
  )
}
