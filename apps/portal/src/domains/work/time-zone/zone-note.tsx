import { timeZones } from '@atrium/rules/time-zones'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { setTemporaryZone, useTimeZone } from '#shell/time-zone.ts'
import { Icon } from '#ui/media/icon.tsx'
import { offsetOf, zoneName } from './zones.ts'

/** Says that the schedule's zone differs from the device's, and can switch to the device's temporarily. */
export function ZoneNote({ zone, now }: { zone: string; now: Date }) {
  const { globalTimeZone, tmpTimeZone } = useTimeZone()
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const offset = offsetOf(deviceZone, now)
  const isTemporary = tmpTimeZone !== globalTimeZone
  if (!isTemporary && offsetOf(zone, now) === offset) return null
  const here =
    timeZones.find(({ value }) => value === deviceZone) ??
    timeZones.find(({ value }) => offsetOf(value, now) === offset)
  return (
    <div className="zone-note">
      <Link to="/pages/shedul/timeArea" className="zone-note-link">
        <Icon name="globe" />
        <span>
          {isTemporary
            ? m.schedule_zone_looking({ zone: offsetOf(tmpTimeZone, now) })
            : m.schedule_zone_note({
                zone: `${zoneName(zone, now)} (${offsetOf(zone, now)})`,
                device: offset,
              })}
        </span>
      </Link>
      {isTemporary || here ? (
        <button
          type="button"
          className="zone-note-look"
          onClick={() => setTemporaryZone(isTemporary ? undefined : here?.value)}
        >
          {isTemporary ? m.schedule_zone_look_back() : m.schedule_zone_look()}
        </button>
      ) : null}
    </div>
  )
}
