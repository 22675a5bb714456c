import type { Occurrence } from '@atrium/contract/work/schedule'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { expect, test } from 'vitest'
import { minuteOfDay, momentOf, urgentOf } from './moment.ts'

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
  ['07:10', [morning, late], 'soon', 'a class within the hour'],
  ['06:30', [morning, late], 'day', 'a class, not within the hour'],
  ['07:30', [{ ...morning, struck: true }, late], 'day', 'a cancelled class is none'],
  ['08:30', [morning, afternoon], 'day', 'in class'],
  ['09:20', [morning, late], 'soon', 'the next class, while this one ends'],
  ['10:44', [afternoon], 'day', 'just before noon'],
  ['10:45', [afternoon], 'noon', 'noon begins'],
  ['11:00', [late, afternoon], 'day', 'in class until 11:35'],
  ['11:15', [late, afternoon], 'noon', 'the class is nearly over'],
  ['13:00', [afternoon], 'soon', 'the class comes before the canteen'],
  ['13:14', [], 'noon', 'a free day has a noon too'],
  ['13:15', [], 'day', 'noon is over'],
  ['16:59', [afternoon], 'day', 'too early for tomorrow'],
  ['17:00', [afternoon], 'evening', 'nothing is left of today'],
  ['17:00', [afternoon, exhibition], 'evening', 'what lasts all day is no reason to stay'],
  ['17:00', [evening], 'day', 'something is left of today'],
  ['18:30', [evening], 'soon', 'an evening class within the hour'],
  ['20:00', [evening], 'day', 'in the evening class'],
  ['21:00', [event('22:30', '23:30')], 'evening', 'late, whatever is left'],
]
test.each(cases)('at %s: %s is %s, for %s', (clock, today, moment) => {
  expect(momentOf(today, at(clock), zone)).toBe(moment)
})

test('noon is that of the member’s zone', () => {
  expect(minuteOfDay(at('12:00'), zone)).toBe(720)
  expect(minuteOfDay(at('12:00'), 'Europe/London')).toBe(240)
  expect(minuteOfDay(at('00:00'), zone)).toBe(0)
  expect(momentOf([], at('12:00'), 'Europe/London')).toBe('day')
  expect(momentOf([], at('19:30'), 'Europe/London')).toBe('noon')
})

test('every to-do due today is shown, at least two', () => {
  const due = (dueAt: string | null, id: string) =>
    ({ id, dueAt: dueAt && new Date(at(dueAt)).toISOString() }) as TaskLine
  const later = { id: 'later', dueAt: '2026-11-25T01:00:00Z' } as TaskLine
  const of = (...list: TaskLine[]) => {
    const { shown, dueToday } = urgentOf(list, at('09:00'), zone)
    return [shown.map(({ id }) => id), dueToday]
  }
  expect(of(due('08:00', 'a'), due('18:00', 'b'), due('23:59', 'c'), later)).toEqual([
    ['a', 'b', 'c'],
    3,
  ])
  expect(of(due('18:00', 'a'), later, due(null, 'z'))).toEqual([['a', 'later'], 1])
  expect(of(due(null, 'z'))).toEqual([['z'], 0])
})
