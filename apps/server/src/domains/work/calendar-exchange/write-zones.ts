import ICAL from 'ical.js'

/** Enough, because programs read the calendar again long before. */
const yearsAhead = 10

/**
 * Writes an IANA zone as a VTIMEZONE with one observance per transition: rules only hold until the next change of law,
 * and many readers, ical.js among them, use only the first of several RDATEs.
 * @param from the first local time it is needed for
 */
export function writeZone(name: string, from: string, now: Temporal.Instant): ICAL.Component {
  const zone = new ICAL.Component('vtimezone')
  zone.addPropertyWithValue('tzid', name)
  const first = Temporal.PlainDateTime.from(from).subtract({ days: 2 }).toZonedDateTime(name)
  const last = now.toZonedDateTimeISO(name).year + yearsAhead
  zone.addSubcomponent(observance(first, first.offsetNanoseconds))
  let change = first.getTimeZoneTransition('next')
  while (change && change.year <= last) {
    const before = change.subtract({ nanoseconds: 1 }).offsetNanoseconds
    if (before !== change.offsetNanoseconds) zone.addSubcomponent(observance(change, before))
    change = change.getTimeZoneTransition('next')
  }
  return zone
}

/**
 * An observance from its onset; `before` is the previous UTC offset in nanoseconds, in which DTSTART is written (RFC
 * 5545 3.6.5).
 */
function observance(onset: Temporal.ZonedDateTime, before: number) {
  const after = onset.offsetNanoseconds
  const local = onset
    .toInstant()
    .add({ nanoseconds: before })
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
  const part = new ICAL.Component(after > before ? 'daylight' : 'standard')
  part.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(local))
  part.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromSeconds(before / 1e9))
  part.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromSeconds(after / 1e9))
  return part
}
