import ICAL from 'ical.js'
import { parseCalendar } from '#domains/work/schedule/parse-calendar.ts'

/** Characters of a comment that are kept, as of a member's. */
const maxComment = 200
const maxEvents = 50
const answers: Record<string, 'yes' | 'maybe' | 'no'> = {
  ACCEPTED: 'yes',
  TENTATIVE: 'maybe',
  DECLINED: 'no',
}

export type Reply = {
  uid: string
  /** lower case */
  attendee: string
  organizer: string
  sequence: number
  /** its DTSTAMP, in milliseconds */
  stamp: number
  answer: 'yes' | 'maybe' | 'no'
  comment: string
  /** of one occurrence alone: what it is called, as a local time or in UTC */
  recurrenceId: ICAL.Time | undefined
}

/**
 * The answers that an iCalendar text holds (RFC 5546 §3.2.3).
 * @returns nothing where it is no answer of somebody, which is said by a word
 */
export function readReply(text: string): Reply[] | 'other' | 'unreadable' {
  try {
    const calendar = parseCalendar(text, 'a mail').calendars.find(
      ({ name }) => name === 'vcalendar',
    )
    if (String(calendar?.getFirstPropertyValue('method') ?? '').toUpperCase() !== 'REPLY')
      return 'other'
    const parts = calendar?.getAllSubcomponents('vevent') ?? []
    if (parts.length === 0 || parts.length > maxEvents) return 'unreadable'
    const replies = parts.map(readOne)
    return replies.every((reply) => reply !== undefined) ? replies : 'unreadable'
  } catch {
    // What ical.js makes of a broken text is an error of any kind.
    return 'unreadable'
  }
}

function readOne(part: ICAL.Component): Reply | undefined {
  const attendees = part.getAllProperties('attendee')
  const [attendee] = attendees
  const stamp = part.getFirstPropertyValue('dtstamp')
  const answer = answers[String(attendee?.getFirstParameter('partstat') ?? '').toUpperCase()]
  if (attendees.length !== 1 || !attendee || !answer || !(stamp instanceof ICAL.Time))
    return undefined
  const recurrenceId = part.getFirstPropertyValue('recurrence-id')
  if (recurrenceId !== null && !(recurrenceId instanceof ICAL.Time)) return undefined
  return {
    uid: textOf(part, 'uid'),
    attendee: addressOf(attendee.getFirstValue()),
    organizer: addressOf(part.getFirstPropertyValue('organizer')),
    sequence: Number(part.getFirstPropertyValue('sequence') ?? 0) || 0,
    // Without a zone it is UTC: RFC 5545 §3.8.7.2 allows nothing else.
    stamp: Date.parse(`${stamp.toString().slice(0, 19)}Z`),
    answer,
    comment: [...textOf(part, 'comment')].slice(0, maxComment).join(''),
    recurrenceId: recurrenceId ?? undefined,
  }
}

const textOf = (part: ICAL.Component, name: string) =>
  String(part.getFirstPropertyValue(name) ?? '')
    .replaceAll('\0', '')
    .trim()
const addressOf = (value: unknown) =>
  String(value ?? '')
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')

type Node = {
  type?: string | undefined
  part?: string | undefined
  size?: number | undefined
  childNodes?: Node[] | undefined
}
/** The parts of one mail that are looked at. */
const maxParts = 100

/** The part of a mail that calendar programs read; a mail within a mail is somebody else's. */
export function findCalendarPart(
  root: Node | undefined,
): { part: string; size: number } | undefined {
  const waiting = root ? [root] : []
  let attached: Node | undefined
  for (let looked = 0; waiting.length > 0 && looked < maxParts; looked++) {
    const node = waiting.shift() as Node
    const type = (node.type ?? '').toLowerCase()
    if (type === 'text/calendar') return { part: node.part ?? '1', size: node.size ?? 0 }
    if (type === 'application/ics') attached ??= node
    if (type.startsWith('multipart/')) waiting.push(...(node.childNodes ?? []))
  }
  return attached && { part: attached.part ?? '1', size: attached.size ?? 0 }
}
