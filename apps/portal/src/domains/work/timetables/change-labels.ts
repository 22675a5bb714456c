import type { Occurrence, OccurrenceChange } from '@atrium/contract/work/schedule'
import { format, formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'

type Kind = OccurrenceChange['kind']

export function changeName(kind: Kind) {
  switch (kind) {
    case 'cancelled':
      return m.timetables_cancelled()
    case 'moved':
      return m.timetables_moved()
    case 'place':
      return m.timetables_place()
    case 'added':
      return m.timetables_added()
  }
}

/** 3月18日 周四 10:00 */
const whenOf = (moment: string, zone: string) =>
  `${format(moment, { month: 'short', day: 'numeric', weekday: 'short', timeZone: zone })} ${formatTime(moment, zone)}`

const timeAndPlace = (moment: string | null, location: string, zone: string) =>
  [moment && whenOf(moment, zone), location].filter(Boolean).join(' · ')

/** What happened to an occurrence, or its previous time and place; empty if the name of the change says enough. */
export function changeText({ struck, change, startsAt }: Occurrence, zone: string): string {
  if (!change) return ''
  const { kind, at: moment, note } = change
  const location = inLanguage(change.location, change.locationEn)
  const text = struck
    ? moment && m.timetables_to({ what: timeAndPlace(moment, location, zone) })
    : kind === 'moved' && moment
      ? m.timetables_was({ what: timeAndPlace(moment, location, zone) })
      : kind === 'place' && location
        ? m.timetables_was({
            what: timeAndPlace(moment === startsAt ? null : moment, location, zone),
          })
        : ''
  return [text, note].filter(Boolean).join(' · ')
}

/** A change as one line. */
export function changeSentence(change: OccurrenceChange, zone: string): string {
  const { kind, startsAt, nowStartsAt, note } = change
  const nowLocation = inLanguage(change.nowLocation, change.nowLocationEn)
  const [was, now] = [
    timeAndPlace(startsAt, inLanguage(change.location, change.locationEn), zone),
    timeAndPlace(nowStartsAt, nowLocation, zone),
  ]
  const text =
    kind === 'cancelled'
      ? was
      : kind === 'added'
        ? now
        : kind === 'place'
          ? m.timetables_change({ was, now: nowLocation })
          : m.timetables_change({ was, now })
  return [text, note].filter(Boolean).join(' · ')
}
