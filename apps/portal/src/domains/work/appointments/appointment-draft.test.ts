import { expect, test, vi } from 'vitest'

vi.stubGlobal('location', { search: '', pathname: '/', origin: 'https://portal.example' })
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('navigator', { languages: ['zh'], userAgent: '' })
const { bodyOf, changesOf, affectsOneOccurrence, minutesOf, moveStart } = await import(
  './appointment-draft.ts'
)

const content = {
  title: '组会',
  titleEn: null,
  allDay: false,
  firstDay: '2026-12-01',
  starts: '14:00',
  lastDay: '2026-12-01',
  ends: '15:30',
  timeZone: 'Asia/Shanghai',
  calendarId: '',
  repeatSet: 'FREQ=WEEKLY;BYDAY=TU',
  dateEndSet: { index: 2 as const, val: '8' },
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

test('an event keeps its duration when its start changes', () => {
  expect(moveStart(content, { starts: '23:00' })).toEqual({
    starts: '23:00',
    lastDay: '2026-12-02',
    ends: '00:30',
  })
  const days = { ...content, allDay: true, lastDay: '2026-12-03' }
  expect(moveStart(days, { firstDay: '2026-12-30' })).toEqual({
    firstDay: '2026-12-30',
    lastDay: '2027-01-01',
  })
})

test('a duration across a daylight-saving change counts elapsed minutes', () => {
  const night = {
    ...content,
    timeZone: 'America/New_York',
    firstDay: '2027-03-13',
    starts: '23:00',
  }
  expect(minutesOf({ ...night, lastDay: '2027-03-14', ends: '04:00' })).toBe(240)
  expect(
    moveStart({ ...night, lastDay: '2027-03-14', ends: '04:00' }, { starts: '22:00' }),
  ).toEqual({
    starts: '22:00',
    lastDay: '2027-03-14',
    ends: '03:00',
  })
})

test('only changed fields are sent, and only some of them can change for one occurrence', () => {
  const moved = changesOf({ ...content, starts: '15:00', ends: '16:30' }, content)
  expect(moved).toEqual({ startsLocal: '2026-12-01T15:00' })
  expect(affectsOneOccurrence(moved)).toBe(true)
  const rarer = changesOf({ ...content, repeatSet: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU' }, content)
  expect(rarer).toEqual({ rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=8' })
  expect(affectsOneOccurrence(rarer)).toBe(false)
  const sorted = changesOf({ ...content, category: '考试', categoryColor: 'orange' }, content)
  expect(sorted).toEqual({ category: '考试', categoryColor: 'orange' })
  expect(affectsOneOccurrence(sorted)).toBe(false)
  expect(bodyOf({ ...content, allDay: true })).toMatchObject({
    startsLocal: '2026-12-01T00:00',
    minutes: 1440,
  })
})
