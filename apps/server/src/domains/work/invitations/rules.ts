import ICAL from 'ical.js'
import { parseCalendar } from '#domains/work/schedule/parse-calendar.ts'

/** Maximum characters of a comment, the same as for members. */
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
  /** its DTSTAMP, in ms */
  stamp: number
  answer: 'yes' | 'maybe' | 'no'
  comment: string
  /** for an answer to one occurrence only: its original start, as a local time or in UTC */
  recurrenceId: ICAL.Time | undefined
}

/**
 * Parses the replies in an iCalendar text (RFC 5546 §3.2.3).
 * @returns the replies, or a word saying why the text is no valid reply
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
    const replies = parts.map(parseReply)
    return replies.every((reply) => reply !== undefined) ? replies : 'unreadable'
  } catch {
    // ical.js throws errors of any type for malformed text.
    return 'unreadable'
  }
}

function parseReply(part: ICAL.Component): Reply | undefined {
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
    // RFC 5545 §3.8.7.2 allows only UTC here.
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
/** Maximum parts of a mail to examine. */
const maxParts = 100

/** The calendar part of a mail. Attached mails are not searched, because they belong to someone else. */
export function findCalendarPart(
  root: Node | undefined,
): { part: string; size: number } | undefined {
  const queue = root ? [root] : []
  let attached: Node | undefined
  for (let visited = 0; queue.length > 0 && visited < maxParts; visited++) {
    const node = queue.shift() as Node
    const type = (node.type ?? '').toLowerCase()
    if (type === 'text/calendar') return { part: node.part ?? '1', size: node.size ?? 0 }
    if (type === 'application/ics') attached ??= node
    if (type.startsWith('multipart/')) queue.push(...(node.childNodes ?? []))
  }
  return attached && { part: attached.part ?? '1', size: attached.size ?? 0 }
}
