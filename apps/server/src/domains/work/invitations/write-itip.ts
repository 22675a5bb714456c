import ICAL from 'ical.js'
import {
  foldLines,
  toSingleLine,
  type WrittenEvent,
  writeObject,
} from '#domains/work/calendar-exchange/write-calendar.ts'

type Answer = 'none' | 'yes' | 'maybe' | 'no'
const states = { none: 'NEEDS-ACTION', yes: 'ACCEPTED', maybe: 'TENTATIVE', no: 'DECLINED' }

export type Invitation = {
  event: WrittenEvent
  sequence: number
  organizer: { name: string; address: string }
  attendee: { name: string; email: string; answer: Answer }
  /** whether replies are read */
  answered: boolean
}

/** An invitation or update (RFC 5546 §3.2.2) for one person; other participants are not disclosed. */
export function writeRequest(invitation: Invitation, now: Temporal.Instant): string {
  const { event, sequence, organizer, attendee, answered } = invitation
  return writeObject({ ...event, person: '', tentative: false }, now, (parts, calendar) => {
    calendar.addPropertyWithValue('method', 'REQUEST')
    for (const part of parts) {
      part.updatePropertyWithValue('dtstamp', stampOf(now))
      part.addPropertyWithValue('sequence', sequence)
      part.addPropertyWithValue('status', 'CONFIRMED')
      addPerson(part, 'organizer', organizer.name, organizer.address)
      const property = addPerson(part, 'attendee', attendee.name, attendee.email)
      property.setParameter('cutype', 'INDIVIDUAL')
      property.setParameter('role', 'REQ-PARTICIPANT')
      property.setParameter('partstat', states[attendee.answer])
      property.setParameter('rsvp', answered ? 'TRUE' : 'FALSE')
    }
  })
}

/** Cancels a sent invitation (RFC 5546 §3.2.5). */
export function writeCancel(sent: string, sequence: number, now: Temporal.Instant): string {
  const calendar = new ICAL.Component(ICAL.parse(sent) as never)
  calendar.updatePropertyWithValue('method', 'CANCEL')
  for (const part of calendar.getAllSubcomponents('vevent')) {
    part.updatePropertyWithValue('dtstamp', stampOf(now))
    part.updatePropertyWithValue('sequence', sequence)
    part.updatePropertyWithValue('status', 'CANCELLED')
    part.getFirstProperty('attendee')?.setParameter('rsvp', 'FALSE')
  }
  return `${foldLines(calendar.toString())}\r\n`
}

/** The event facts in a sent mail. */
export function parseSentInvitation(sent: string) {
  const calendar = new ICAL.Component(ICAL.parse(sent) as never)
  const part = calendar.getFirstSubcomponent('vevent')
  const textOf = (name: string) => String(part?.getFirstPropertyValue(name) ?? '')
  return {
    uid: textOf('uid'),
    title: textOf('summary'),
    organizer: textOf('organizer').replace(/^mailto:/, ''),
  }
}

const stampOf = (now: Temporal.Instant) =>
  ICAL.Time.fromDateTimeString(now.toString({ smallestUnit: 'second' }))

function addPerson(part: ICAL.Component, name: string, displayName: string, address: string) {
  const property = new ICAL.Property(name)
  const cn = toSingleLine(displayName).replaceAll('"', '')
  if (cn) property.setParameter('cn', cn)
  property.setValue(`mailto:${address}`)
  part.addProperty(property)
  return property
}

const timeProperties = /^(?:dtstart|dtend|duration|rrule|exdate|recurrence-id)\b/i
const mailProperties = /^(?:dtstamp|last-modified|sequence)\b/i

/**
 * Compares two versions. A change of `times` invalidates answers to the older version and needs a new SEQUENCE (RFC
 * 5546 §2.1.4); any other change only gets a later DTSTAMP.
 */
export function compareVersions(before: string, after: string): 'nothing' | 'words' | 'times' {
  const lines = (text: string, matches: (line: string) => boolean) =>
    partsOf(text).flat().filter(matches).join('\n')
  const differ = (matches: (line: string) => boolean) =>
    lines(before, matches) !== lines(after, matches)
  if (differ((line) => timeProperties.test(line))) return 'times'
  return differ((line) => !mailProperties.test(line)) ? 'words' : 'nothing'
}

/** The properties of its events, without the participants' answers. */
const partsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text) as never).getAllSubcomponents('vevent').map((part) =>
    part.getAllProperties().map((property) => {
      const copy = new ICAL.Property(structuredClone(property.toJSON()) as never)
      copy.removeParameter('partstat')
      return copy.toICALString()
    }),
  )
