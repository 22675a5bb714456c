import type { Occurrence } from '@atrium/contract/work/schedule'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { expect, test } from 'vitest'
import { homeFocusOf, minuteOfDay, urgentTodos } from './home-focus.ts'

const zone = 'Asia/Shanghai'
const at = (clock: string) => Date.parse(`2026-11-23T${clock}:00+08:00`)
const event = (from: string, to: string, more: Partial<Occurrence> = {}) =>
  ({
    startsAt: new Date(at(from)).toISOString(),
    endsAt: new Date(at(to)).toISOString(),
    ...{ allDay: false, struck: false, ...more },
  }) as Occurrence

const morning = event('08:00', '09:35')
const late = event('10:00', '11:35')
const afternoon = event('14:00', '15:35')
const evening = event('19:00', '20:30')
const exhibition = event('00:00', '23:59', { allDay: true })

const cases: [clock: string, today: Occurrence[], moment: string, why: string][] = [
  ['07:10', [morning, late], 'soon', 'a class starts within the hour'],
  ['06:30', [morning, late], 'day', 'the next class starts in more than an hour'],
  ['07:30', [{ ...morning, struck: true }, late], 'day', 'a cancelled class is ignored'],
  ['08:30', [morning, afternoon], 'day', 'a class is in progress'],
  ['09:20', [morning, late], 'soon', 'the next class starts within the hour, while this one ends'],
  ['10:44', [afternoon], 'day', 'noon has not started'],
  ['10:45', [afternoon], 'noon', 'noon starts'],
  ['11:00', [late, afternoon], 'day', 'a class is in progress until 11:35'],
  ['11:15', [late, afternoon], 'noon', 'the class in progress ends soon'],
  ['13:00', [afternoon], 'soon', 'a class within the hour takes precedence over noon'],
  ['13:14', [], 'noon', 'noon on a day without events'],
  ['13:15', [], 'day', 'noon has ended'],
  ['16:59', [afternoon], 'day', 'evening has not started'],
  ['17:00', [afternoon], 'evening', 'no event is left today'],
  ['17:00', [afternoon, exhibition], 'evening', 'an all-day event is ignored'],
  ['17:00', [evening], 'day', 'an event is left today'],
  ['18:30', [evening], 'soon', 'an evening class starts within the hour'],
  ['20:00', [evening], 'day', 'an evening class is in progress'],
  ['21:00', [event('22:30', '23:30')], 'evening', 'late evening, even if an event is left'],
]
test.each(cases)('at %s with events %s the moment is %s: %s', (clock, today, moment) => {
  expect(homeFocusOf(today, at(clock), zone)).toBe(moment)
})

test('noon and the minute of the day depend on the member’s time zone', () => {
  expect(minuteOfDay(at('12:00'), zone)).toBe(720)
  expect(minuteOfDay(at('12:00'), 'Europe/London')).toBe(240)
  expect(minuteOfDay(at('00:00'), zone)).toBe(0)
  expect(homeFocusOf([], at('12:00'), 'Europe/London')).toBe('day')
  expect(homeFocusOf([], at('19:30'), 'Europe/London')).toBe('noon')
})

test('shows every to-do due today, and fills up to two with others', () => {
  const due = (dueAt: string | null, id: string) =>
    ({ id, dueAt: dueAt && new Date(at(dueAt)).toISOString() }) as TaskLine
  const later = { id: 'later', dueAt: '2026-11-25T01:00:00Z' } as TaskLine
  const of = (...list: TaskLine[]) => {
    const { shown, dueToday } = urgentTodos(list, at('09:00'), zone)
    return [shown.map(({ id }) => id), dueToday]
  }
  expect(of(due('08:00', 'a'), due('18:00', 'b'), due('23:59', 'c'), later)).toEqual([
    ['a', 'b', 'c'],
    3,
  ])
  expect(of(due('18:00', 'a'), later, due(null, 'z'))).toEqual([['a', 'later'], 1])
  expect(of(due(null, 'z'))).toEqual([['z'], 0])
})
