import type { Point } from '@atrium/contract/shell/map'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { type DateEndSet, joinRule, splitRule } from '#domains/work/recurrence/recurrence.ts'
import { addDays, daysBetween } from '#domains/work/schedule/days.ts'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

export type DraftParticipant = { accountName: string; email: string; name: string }
/** The editable content of an event; also used for its original state, to find the changes. */
export type Content = {
  title: string
  /** null: in one language only, as members write */
  titleEn: string | null
  allDay: boolean
  firstDay: string
  starts: string
  lastDay: string
  ends: string
  timeZone: string
  /** empty: the default calendar */
  calendarId: string
  /** RFC 5545 rule without its end; empty: does not repeat */
  repeatSet: string
  dateEndSet: DateEndSet
  location: string
  /** coordinates of the location */
  point: Point | null
  url: string
  notes: string
  busy: boolean
  category: string
  /** null: the calendar's colour */
  categoryColor: EventDetail['categoryColor']
  files: { id: string; name: string }[]
  participants: DraftParticipant[]
  /** null: as in the settings */
  reminders: number[] | null
}
/** The event being edited. Shared by the form and the screens for repetition, reminders and participants. */
export type Draft = Content & {
  /** the source it was started from; returning to the same source continues the draft */
  begun: string
  /** idempotency key, sent with every attempt: a lost answer does not create a second event */
  uid: string
  /** whether an existing event is being changed: `event`, with its original content in `before` */
  isChgSchedul: boolean
  event: EventDetail | null
  before: Content | null
}

const blankContent: Content = {
  title: '',
  titleEn: null,
  allDay: false,
  firstDay: '',
  starts: '09:00',
  lastDay: '',
  ends: '10:00',
  timeZone: '',
  calendarId: '',
  repeatSet: '',
  dateEndSet: { index: 0, val: '' },
  location: '',
  point: null,
  url: '',
  notes: '',
  busy: true,
  category: '',
  categoryColor: null,
  files: [],
  participants: [],
  reminders: null,
}
const blank = (): Draft => ({
  ...blankContent,
  begun: '',
  uid: randomId(),
  isChgSchedul: false,
  event: null,
  before: null,
})

const store = draftStore(blank, 'appointments.form')
export const useDraft = store.use
export const getDraft = store.get
export const changeDraft = (change: Partial<Content>) => store.set({ ...store.get(), ...change })
export const clearDraft = store.clear

/** Starts a new event, unless one was already started from the same source. */
export function startDraft(source: string, content: Partial<Content>) {
  if (store.get().begun !== source) store.set({ ...blank(), ...content, begun: source })
}

/** Starts changing an existing event, unless that was already started. */
export function editEvent(
  event: EventDetail,
  nameOf: (name: string, nameEn: string) => string,
  both = false,
) {
  const source = `${event.id} ${event.originalLocal} ${event.version}`
  if (store.get().begun === source) return
  const content = {
    ...contentOf(event, nameOf),
    ...(both && { title: event.title, titleEn: event.titleEn }),
  }
  store.set({ ...blank(), ...content, begun: source, isChgSchedul: true, event, before: content })
}

function contentOf(event: EventDetail, nameOf: (name: string, nameEn: string) => string): Content {
  const { title, titleEn, allDay, startsLocal, minutes, timeZone, calendarId, rrule } = event
  const { location, point, url, description, busy, participants, reminders } = event
  // Events stored on the device by an older version lack these fields.
  const { category = '', categoryColor = null, files = [] } = event
  const ends = localAfter(startsLocal, allDay ? Math.max(minutes - 1440, 0) : minutes, timeZone)
  return {
    title: title || titleEn,
    titleEn: null,
    allDay,
    firstDay: startsLocal.slice(0, 10),
    starts: allDay ? '09:00' : startsLocal.slice(11),
    lastDay: ends.slice(0, 10),
    ends: allDay ? '10:00' : ends.slice(11),
    timeZone,
    calendarId,
    ...splitRule(rrule, timeZone),
    location,
    point,
    url,
    notes: description,
    busy,
    category,
    categoryColor,
    files: files.map(({ id, name }) => ({ id, name })),
    participants: participants.map(({ accountName, email, name, nameEn }) => ({
      accountName,
      email,
      name: nameOf(name, nameEn),
    })),
    reminders,
  }
}

/** The wall-clock time this many minutes after another one. */
function localAfter(local: string, minutes: number, zone: string) {
  const moment = parseZonedTime(local, zone) + minutes * 60_000
  const shifted = new Date(Date.parse(`${local}Z`) + minutes * 60_000)
  // The clocks may have been changed in between.
  const off = moment - parseZonedTime(shifted.toISOString().slice(0, 16), zone)
  return new Date(shifted.getTime() + off).toISOString().slice(0, 16)
}

/** Duration in minutes; NaN while a time is being typed. */
export function minutesOf({ allDay, firstDay, lastDay, starts, ends, timeZone }: Content) {
  if (allDay) return (daysBetween(firstDay, lastDay) + 1) * 1440
  const [from, to] = [
    parseZonedTime(`${firstDay}T${starts}`, timeZone),
    parseZonedTime(`${lastDay}T${ends}`, timeZone),
  ]
  return Math.round((to - from) / 60_000)
}

/** Moves the start; the event keeps its duration. */
export function moveStart(
  content: Content,
  change: { firstDay?: string; starts?: string },
): Partial<Content> {
  const moved = { ...content, ...change }
  if (!moved.firstDay || !moved.starts) return change
  const minutes = minutesOf(content)
  if (Number.isNaN(minutes)) return change
  if (content.allDay) {
    const days = daysBetween(content.firstDay, content.lastDay)
    return { ...change, lastDay: addDays(moved.firstDay, Math.max(days, 0)) }
  }
  const ends = localAfter(
    `${moved.firstDay}T${moved.starts}`,
    Math.max(minutes, 15),
    content.timeZone,
  )
  return { ...change, lastDay: ends.slice(0, 10), ends: ends.slice(11) }
}

/** The request body for this content. */
export function bodyOf(content: Content) {
  const { allDay, firstDay, starts, timeZone, repeatSet, dateEndSet } = content
  // Drafts of an older version lack these fields.
  const { category = '', categoryColor = null, files = [] } = content
  return {
    title: content.title.trim(),
    startsLocal: `${firstDay}T${allDay ? '00:00' : starts}`,
    minutes: minutesOf(content),
    allDay,
    timeZone,
    location: content.location.trim(),
    // No point without a location text.
    point: content.location.trim() ? content.point : null,
    description: content.notes.trim(),
    url: content.url.trim(),
    rrule: joinRule(repeatSet, dateEndSet, allDay, timeZone),
    busy: content.busy,
    category: category.trim(),
    categoryColor,
    files,
    participants: content.participants.map(({ accountName, email, name }) =>
      accountName ? { accountName } : { email, name },
    ),
    ...(content.titleEn !== null && { titleEn: content.titleEn.trim() }),
    ...(content.calendarId && { calendarId: content.calendarId }),
    ...(content.reminders && { reminders: content.reminders }),
  }
}

type Body = ReturnType<typeof bodyOf>
/** The changed fields only; omitted fields remain unchanged on the server. */
export function changesOf(content: Content, before: Content): Partial<Body> {
  const [now, was] = [bodyOf(content), bodyOf(before)]
  const names = Object.keys(now) as (keyof Body)[]
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]))
  // A new location is sent with its point.
  if (changed.includes('location') && !changed.includes('point')) changed.push('point')
  return Object.fromEntries(changed.map((name) => [name, now[name]]))
}

/** Fields that can differ for a single occurrence. */
const singleOccurrenceFields = new Set<keyof Body>([
  'title',
  'startsLocal',
  'minutes',
  'location',
  'point',
])
export const affectsOneOccurrence = (changes: Partial<Body>) =>
  Object.keys(changes).every((name) => singleOccurrenceFields.has(name as keyof Body))
