import { isTimeZone } from '@atrium/contract/config-checks'
import ICAL from 'ical.js'
import { LRUCache } from 'lru-cache'
import { shortenCell } from '#platform/ingest/cells.ts'
import { CalendarIssue } from './calendar-issue.ts'
import { outlookZones, windowsZones } from './windows-zones.ts'

/** A time zone given by IANA name, or by a VTIMEZONE in the file; then `name` is only for display. */
export type Zone = { name: string; definition: string | null }
/** The time zones of a calendar file; `own` applies to times without a zone. */
export type FileZones = { own: Zone; named: Map<string, Zone> }

const utc: Zone = { name: 'UTC', definition: null }

export function readZones(calendar: ICAL.Component, timeZone: string): FileZones {
  const calendarZone = String(calendar.getFirstPropertyValue('x-wr-timezone') ?? '')
  const own = { name: nameOfZone(calendarZone) ?? timeZone, definition: null }
  const named = new Map<string, Zone>()
  for (const part of calendar.getAllSubcomponents('vtimezone')) {
    const tzid = String(part.getFirstPropertyValue('tzid') ?? '')
    const name =
      nameOfZone(tzid) ??
      nameOfZone(String(part.getFirstPropertyValue('x-lic-location') ?? '')) ??
      fixedZone(part)
    if (name) named.set(tzid, { name, definition: null })
    else if (part.getAllSubcomponents('standard').length > 0)
      named.set(tzid, { name: own.name, definition: part.toString() })
  }
  return { own, named }
}

/** @throws RowIssue if the zone is unknown */
export function zoneOf(property: ICAL.Property, value: ICAL.Time, zones: FileZones): Zone {
  const tzid = property.getParameter('tzid')
  if (typeof tzid === 'string' && tzid) {
    const name = nameOfZone(tzid)
    const zone = name ? { name, definition: null } : zones.named.get(tzid)
    if (!zone) throw new CalendarIssue('unknownZone', shortenCell(tzid))
    return zone
  }
  return value.zone?.tzid === 'UTC' ? utc : zones.own
}

const isSameZone = (a: Zone, b: Zone) =>
  a.definition === b.definition && (a.definition !== null || a.name === b.name)
export const isUtc = (zone: Zone) => isSameZone(zone, utc)

/** The instant of a local time `YYYY-MM-DDTHH:MM:SS` in a zone. */
export function instantIn({ name, definition }: Zone, local: string): Temporal.Instant {
  const localTime = Temporal.PlainDateTime.from(local)
  if (definition === null) return localTime.toZonedDateTime(name).toInstant()
  return localTime
    .toZonedDateTime('UTC')
    .toInstant()
    .subtract({ seconds: offsetIn(definition, localTime) })
}

/** The local time of an instant in a VTIMEZONE zone, found by trial because only the other direction is defined. */
export function wallClockIn(definition: string, instant: Temporal.Instant): Temporal.PlainDateTime {
  const onUtc = instant.toZonedDateTimeISO('UTC').toPlainDateTime()
  const guess = onUtc.add({ seconds: offsetIn(definition, onUtc) })
  return onUtc.add({ seconds: offsetIn(definition, guess) })
}

/** Converts a local time from one zone to another. */
export function moveZone(local: string, from: Zone, to: Zone): string {
  if (isSameZone(from, to)) return local
  const instant = instantIn(from, local)
  const target =
    to.definition === null
      ? instant.toZonedDateTimeISO(to.name).toPlainDateTime()
      : wallClockIn(to.definition, instant)
  return target.toString({ smallestUnit: 'second' })
}

const parsedZones = new LRUCache<string, ICAL.Timezone>({ max: 100 })

/** Offset from UTC in seconds at a local time of the zone. */
function offsetIn(definition: string, localTime: Temporal.PlainDateTime): number {
  let zone = parsedZones.get(definition)
  if (!zone) {
    zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(definition) as never))
    parsedZones.set(definition, zone)
  }
  const { year, month, day, hour, minute, second } = localTime
  const local = ICAL.Timezone.localTimezone
  const offset = zone.utcOffset(new ICAL.Time({ year, month, day, hour, minute, second }, local))
  // Before its first transition a zone has that transition's previous offset; ical.js returns 0 there.
  const [first] = zone.changes as { year: number; month: number; prevUtcOffset: number }[]
  return first && (year < first.year || (year === first.year && month < first.month))
    ? first.prevUtcOffset
    : offset
}

/** The IANA zone for a client-specific zone name. */
function nameOfZone(tzid: string): string | undefined {
  const name = tzid.replaceAll('"', '').trim()
  if (Object.hasOwn(windowsZones, name)) return windowsZones[name]
  // (UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi
  const cities = /^\((?:UTC|GMT)(?:[+-]\d\d:?\d\d)?\)\s*(.+)$/i.exec(name)?.[1]
  if (cities && Object.hasOwn(outlookZones, cities)) return outlookZones[cities]
  // Intl accepts plain offsets as zones; only names are allowed here.
  if (isTimeZone(name) && /[a-z]/i.test(name)) return name
  // /freeassociation.sourceforge.net/Tzfile/Europe/Berlin
  for (const parts = name.split('/').filter(Boolean); parts.length > 1; parts.shift())
    if (isTimeZone(parts.join('/'))) return parts.join('/')
  return undefined
}

/** The zone for a VTIMEZONE whose offset never changes. */
function fixedZone(part: ICAL.Component): string | undefined {
  const offsets = new Set(
    [...part.getAllSubcomponents('standard'), ...part.getAllSubcomponents('daylight')].map((rule) =>
      (rule.getFirstPropertyValue('tzoffsetto') as ICAL.UtcOffset | null)?.toSeconds(),
    ),
  )
  const [offset] = offsets
  if (offsets.size !== 1 || offset === undefined || offset % 3600 !== 0) return undefined
  const hours = offset / 3600
  if (hours === 0) return 'UTC'
  // Etc/GMT names have the opposite sign.
  const zone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return isTimeZone(zone) ? zone : undefined
}
