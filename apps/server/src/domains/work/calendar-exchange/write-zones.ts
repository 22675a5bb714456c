import ICAL from 'ical.js'

/** Programs ask for the calendar again long before. */
const yearsAhead = 10

/**
 * An IANA zone as a VTIMEZONE. Every change of its clocks is an observance of its own: rules hold until the next law, and of
 * several RDATE many readers, ical.js among them, see only the first.
 * @param from the first time it is needed for, on its own clock
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

/** From this time on, where it was `before` nanoseconds from UTC; the time is told on that clock (RFC 5545 3.6.5). */
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
