import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Attention,
  decide,
  type QueuedMessage,
  quietEndsAt,
  type SentNotification,
} from './rules.ts'

const open: Attention = {
  quietFrom: null,
  quietUntil: null,
  daysOff: [],
  digest: 'none',
  digestAt: '18:00',
  digestDay: 5,
  maxPerHour: 0,
}
const night = { ...open, quietFrom: '22:30', quietUntil: '07:00' }
const shanghai = 'Asia/Shanghai'
const time = (text: string, zone = shanghai) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
const text = (at: number | undefined, zone = shanghai) =>
  at === undefined
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
let ids = 0
const waiting = (at: string, more: Partial<QueuedMessage> = {}, zone = shanghai): QueuedMessage => {
  ids += 1
  return { id: String(ids), at: time(at, zone), urgent: false, says: `text ${ids}`, ...more }
}
const notified = (at: string, says: string[] = [], urgent = false): SentNotification => ({
  at: time(at),
  urgent,
  says,
})

// 2026-11-23 is a Monday.
describe('a notification is sent', () => {
  test.each<[string, string, Attention, string | undefined]>([
    ['immediately without settings', '2026-11-23T23:00', open, undefined],
    ['immediately by day', '2026-11-23T12:00', night, undefined],
    ['after quiet hours', '2026-11-23T22:30', night, '2026-11-24T07:00'],
    ['after quiet hours, past midnight', '2026-11-24T06:59', night, '2026-11-24T07:00'],
    ['immediately when quiet hours are over', '2026-11-24T07:00', night, undefined],
    [
      'after quiet hours at noon',
      '2026-11-23T12:30',
      { ...open, quietFrom: '12:00', quietUntil: '14:00' },
      '2026-11-23T14:00',
    ],
    [
      'on Monday, after a weekend off',
      '2026-11-28T10:00',
      { ...open, daysOff: [6, 7] },
      '2026-11-30T00:00',
    ],
    [
      'after a weekend off and quiet hours',
      '2026-11-27T23:00',
      { ...night, daysOff: [6, 7] },
      '2026-11-30T07:00',
    ],
    [
      'with the daily digest of today',
      '2026-11-23T10:00',
      { ...open, digest: 'daily' },
      '2026-11-23T18:00',
    ],
    [
      'with the daily digest of tomorrow',
      '2026-11-23T18:00',
      { ...open, digest: 'daily' },
      '2026-11-24T18:00',
    ],
    [
      'with the weekly digest on Friday',
      '2026-11-23T10:00',
      { ...open, digest: 'weekly' },
      '2026-11-27T18:00',
    ],
    [
      'with the weekly digest next Friday',
      '2026-11-27T18:01',
      { ...open, digest: 'weekly' },
      '2026-12-04T18:00',
    ],
    [
      'after quiet hours that include the digest time',
      '2026-11-23T10:00',
      { ...night, digest: 'daily', digestAt: '23:00' },
      '2026-11-24T07:00',
    ],
  ])('%s', (_, at, attention, expected) => {
    const one = waiting(at)
    const decision = decide(one.at, shanghai, attention, [one], [])
    expect(text(decision.wakeAt)).toBe(expected)
    expect(decision.bundle).toEqual(expected === undefined ? [one] : [])
    if (decision.wakeAt === undefined) return
    expect(decide(decision.wakeAt - 1, shanghai, attention, [one], []).bundle).toEqual([])
    expect(decide(decision.wakeAt, shanghai, attention, [one], []).bundle).toEqual([one])
  })

  test('in one bundle with the other held messages', () => {
    const list = [waiting('2026-11-23T23:00'), waiting('2026-11-24T01:00')]
    const { bundle, wakeAt } = decide(time('2026-11-24T07:00'), shanghai, night, list, [])
    expect(bundle).toEqual(list)
    expect(wakeAt).toBeUndefined()
  })

  test('immediately if it is urgent', () => {
    const one = waiting('2026-11-23T23:00', { urgent: true })
    const strict: Attention = { ...night, daysOff: [1], digest: 'weekly', maxPerHour: 1 }
    const sent = [notified('2026-11-23T22:59')]
    expect(decide(one.at, shanghai, strict, [one], sent)).toMatchObject({ urgent: [one], held: [] })
  })

  test('once the hourly limit allows it', () => {
    const one = waiting('2026-11-23T12:00')
    const sent = [
      notified('2026-11-23T11:10'),
      notified('2026-11-23T11:50'),
      notified('2026-11-23T11:55', [], true),
    ]
    const decision = decide(one.at, shanghai, { ...open, maxPerHour: 2 }, [one], sent)
    expect(decision.bundle).toEqual([])
    expect(text(decision.wakeAt)).toBe('2026-11-23T12:10')
    expect(decide(one.at, shanghai, { ...open, maxPerHour: 3 }, [one], sent).bundle).toEqual([one])
  })

  test('once for the same text within an hour', () => {
    const first = waiting('2026-11-23T12:00', { says: 'same' })
    const second = waiting('2026-11-23T12:01', { says: 'same' })
    expect(decide(second.at, shanghai, open, [first, second], [])).toMatchObject({
      bundle: [first],
      repeated: [second],
    })
    const sent = [notified('2026-11-23T11:30', ['same'])]
    expect(decide(first.at, shanghai, open, [first], sent).repeated).toEqual([first])
    const earlier = [notified('2026-11-23T10:59', ['same'])]
    expect(decide(first.at, shanghai, open, [first], earlier).bundle).toEqual([first])
  })

  test('by the member’s current time zone', () => {
    const one = waiting('2026-11-23T23:00')
    expect(decide(one.at, shanghai, night, [one], []).bundle).toEqual([])
    // 16:00 in Berlin
    expect(decide(one.at, 'Europe/Berlin', night, [one], []).bundle).toEqual([one])
  })
})

describe('on a daylight saving change, decide handles', () => {
  const berlin = 'Europe/Berlin'
  test.each([
    // On 2027-03-28 the time from 02:00 to 03:00 does not exist; on 2026-10-25 it occurs twice.
    [
      'a skipped end of quiet hours',
      '2027-03-28T01:00',
      { ...open, quietFrom: '22:00', quietUntil: '02:30' },
      '2027-03-28T03:30',
    ],
    ['a shorter night', '2027-03-28T01:00', night, '2027-03-28T07:00'],
    ['a longer night', '2026-10-25T00:30', night, '2026-10-25T07:00'],
    [
      'a skipped digest time',
      '2027-03-27T20:00',
      { ...open, digest: 'daily' as const, digestAt: '02:30' },
      '2027-03-28T03:30',
    ],
  ])('%s', (_, at, attention, expected) => {
    const one = waiting(at, {}, berlin)
    expect(text(decide(one.at, berlin, attention, [one], []).wakeAt, berlin)).toBe(expected)
  })
})

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`)
const anyAttention: fc.Arbitrary<Attention> = fc.record({
  quietFrom: fc.option(clock),
  quietUntil: fc.option(clock),
  daysOff: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }),
  digest: fc.constantFrom('none', 'daily', 'weekly'),
  digestAt: clock,
  digestDay: fc.integer({ min: 1, max: 7 }),
  maxPerHour: fc.integer({ min: 0, max: 5 }),
})
const anyZone = fc.constantFrom(
  shanghai,
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
)
const anyTime = fc.integer({ min: time('2026-09-01T00:00'), max: time('2027-05-01T00:00') })
const anyWaiting = fc.array(
  fc.record({
    ago: fc.integer({ min: 0, max: 10 * 86_400_000 }),
    urgent: fc.boolean(),
    says: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  }),
  { maxLength: 12 },
)

test('no message is lost or announced twice, and held messages have a wake-up time', () => {
  fc.assert(
    fc.property(anyTime, anyZone, anyAttention, anyWaiting, (now, zone, attention, list) => {
      const all = list.map(({ ago, ...one }, place) => ({
        ...one,
        id: String(place),
        at: now - ago,
      }))
      const { urgent, bundle, repeated, held, wakeAt } = decide(now, zone, attention, all, [])
      const ids = [...urgent, ...bundle, ...repeated, ...held].map(({ id }) => id)
      expect(ids.sort()).toEqual(all.map(({ id }) => id).sort())
      expect(wakeAt === undefined).toBe(held.length === 0)
      if (wakeAt !== undefined) expect(wakeAt).toBeGreaterThan(now)
      const announced = new Set([...urgent, ...bundle].map(({ says }) => says))
      for (const { says } of repeated) expect(announced).toContain(says)
      expect(new Set(urgent.map(({ says }) => says)).size).toBe(urgent.length)
    }),
  )
})

test('non-urgent messages are never sent in quiet hours and wait at most 15 days', () => {
  fc.assert(
    fc.property(anyTime, anyZone, anyAttention, (start, zone, attention) => {
      const one: QueuedMessage = { id: '1', at: start, urgent: false, says: 'a' }
      let now = start
      for (let step = 0; step < 40; step++) {
        const { bundle, wakeAt } = decide(now, zone, attention, [one], [])
        if (bundle.length > 0) {
          expect(quietEndsAt(now, zone, attention)).toBe(now)
          expect(now - start).toBeLessThanOrEqual(15 * 86_400_000)
          return
        }
        now = wakeAt ?? Number.NaN
      }
      throw new Error('it never went out')
    }),
  )
})
