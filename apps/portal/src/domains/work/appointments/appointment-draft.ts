import type { Point } from '@atrium/contract/shell/map'
import type { EventDetail } from '@atrium/contract/work/schedule'
import { momentOf } from '@atrium/rules/zoned-time'
import { type DateEndSet, joinRule, splitRule } from '#domains/work/recurrence/recurrence.ts'
import { addDays, daysBetween } from '#domains/work/schedule/days.ts'
import { draftStore } from '#lib/draft-store.ts'
import { randomId } from '#lib/random-id.ts'

export type DraftParticipant = { accountName: string; email: string; name: string }
/** What of an event is written; the event as it was is kept in the same form, to tell what has changed. */
export type Content = {
  title: string
  /** null: it is said in one language, as members do */
  titleEn: string | null
  allDay: boolean
  firstDay: string
  starts: string
  lastDay: string
  ends: string
  timeZone: string
  /** empty: the default one */
  calendarId: string
  /** RFC 5545 without an end; empty: never */
  repeatSet: string
  dateEndSet: DateEndSet
  location: string
  /** where that is */
  point: Point | null
  url: string
  notes: string
  busy: boolean
  category: string
  /** null: the calendar's */
  categoryColor: EventDetail['categoryColor']
  files: { id: string; name: string }[]
  participants: DraftParticipant[]
  /** null: as in the settings */
  reminders: number[] | null
}
/** An event that is being written. The form and the screens for repeat, reminders and participants share it. */
export type Draft = Content & {
  /** from where it was begun: coming back to the same address goes on with it */
  begun: string
  /** sent along with every try: an answer that got lost makes no second event */
  uid: string
  /** An event that is there is changed: this one, as it was. */
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

/** Begins a new event, unless it has been begun from the same address. */
export function beginDraft(begun: string, content: Partial<Content>) {
  if (store.get().begun !== begun) store.set({ ...blank(), ...content, begun })
}

/** Begins to change one that is there, unless that has been begun. */
export function takeEvent(
  event: EventDetail,
  nameOf: (name: string, nameEn: string) => string,
  both = false,
) {
  const begun = `${event.id} ${event.originalLocal} ${event.version}`
  if (store.get().begun === begun) return
  const content = {
    ...contentOf(event, nameOf),
    ...(both && { title: event.title, titleEn: event.titleEn }),
  }
  store.set({ ...blank(), ...content, begun, isChgSchedul: true, event, before: content })
}

function contentOf(event: EventDetail, nameOf: (name: string, nameEn: string) => string): Content {
  const { title, titleEn, allDay, startsLocal, minutes, timeZone, calendarId, rrule } = event
  const { location, point, url, description, busy, participants, reminders } = event
  // One that an older version kept on the device has none of these.
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

/** What a clock shows so many minutes after another reading of it. */
function localAfter(local: string, minutes: number, zone: string) {
  const moment = momentOf(local, zone) + minutes * 60_000
  const shown = new Date(Date.parse(`${local}Z`) + minutes * 60_000)
  // Between them the clocks may have been changed.
  const off = moment - momentOf(shown.toISOString().slice(0, 16), zone)
  return new Date(shown.getTime() + off).toISOString().slice(0, 16)
}

/** How long it takes, in minutes; not a number while a time is being typed. */
export function minutesOf({ allDay, firstDay, lastDay, starts, ends, timeZone }: Content) {
  if (allDay) return (daysBetween(firstDay, lastDay) + 1) * 1440
  const [from, to] = [
    momentOf(`${firstDay}T${starts}`, timeZone),
    momentOf(`${lastDay}T${ends}`, timeZone),
  ]
  return Math.round((to - from) / 60_000)
}

/** Another start: the event keeps its length. */
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

/** What the server is told of what was written. */
export function bodyOf(content: Content) {
  const { allDay, firstDay, starts, timeZone, repeatSet, dateEndSet } = content
  // A draft of an older version compares with an event that had none of these.
  const { category = '', categoryColor = null, files = [] } = content
  return {
    title: content.title.trim(),
    startsLocal: `${firstDay}T${allDay ? '00:00' : starts}`,
    minutes: minutesOf(content),
    allDay,
    timeZone,
    location: content.location.trim(),
    // Without words there is no place.
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
/** The fields that are not as they were: what is left out stays. */
export function changesOf(content: Content, before: Content): Partial<Body> {
  const [now, was] = [bodyOf(content), bodyOf(before)]
  const names = Object.keys(now) as (keyof Body)[]
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]))
  // Another location has the point that is sent along with it.
  if (changed.includes('location') && !changed.includes('point')) changed.push('point')
  return Object.fromEntries(changed.map((name) => [name, now[name]]))
}

/** One occurrence alone can differ in these. */
const ofOne = new Set<keyof Body>(['title', 'startsLocal', 'minutes', 'location', 'point'])
export const isOfOne = (changes: Partial<Body>) =>
  Object.keys(changes).every((name) => ofOne.has(name as keyof Body))
