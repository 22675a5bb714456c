import { describe, expect, test } from 'vitest'
import { OutboundError } from '#platform/outbound/outbound.ts'
import {
  afterProbe,
  type HostHealth,
  isServerError,
  minutesUntilNextProbe,
  type ProbeResult,
  readIssue,
  readStatus,
} from './rules.ts'

const unknown: HostHealth = {
  state: 'unknown',
  since: null,
  failures: 0,
  slowAnswers: 0,
  troubleAt: null,
}
const failed: ProbeResult = { kind: 'failed', status: null, issue: 'away', network: true }
const broken = readStatus(503, 20)
const quick = readStatus(200, 20)
const late = readStatus(200, 5000)
const closed: ProbeResult = { kind: 'closed', issue: 'inside' }

/** Times at one-minute intervals from 10:20. */
const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 10, 20 + minute))
const after = (...found: ProbeResult[]) =>
  found.reduce<HostHealth>((known, one, minute) => afterProbe(known, one, at(minute)), unknown)

describe('the state of a host', () => {
  test.each([
    ['nothing is said before anything is known', [failed], 'unknown', undefined],
    ['two failures are no outage', [quick, failed, broken], 'up', 0],
    ['three are, since the first', [quick, failed, broken, failed], 'down', 1],
    ['it stays so since then', [failed, failed, failed, failed, failed], 'down', 0],
    ['the first answer brings it back', [failed, failed, failed, quick], 'up', 3],
    ['an answer in between begins anew', [failed, failed, quick, failed, failed], 'up', 2],
    ['one late answer is nothing', [quick, late], 'up', 0],
    ['two are', [quick, late, late], 'slow', 1],
    ['who is back but late is back', [failed, failed, failed, late], 'up', 3],
    ['what may not be asked is not known', [failed, failed, failed, closed], 'unknown', undefined],
  ] as const)('%s', (_, found, state, since) => {
    const known = after(...found)
    expect(known.state).toBe(state)
    expect(known.since).toEqual(since === undefined ? null : at(since))
  })
})

test.each([
  ['is at least what the setting says', [quick], 0, 5],
  ['differs by up to a fifth', [quick], 1, 6],
  ['is no shorter while a failure is looked into', [failed, failed], 0, 5],
  ['grows while it is down', [failed, failed, failed, failed], 0, 10],
  ['ends growing', Array(20).fill(failed), 0, 20],
  ['is long where nothing may be asked', [closed], 0, 60],
] as const)('the pause %s', (_, found, chance, minutes) => {
  const all = [...found] as ProbeResult[]
  expect(minutesUntilNextProbe(after(...all), all[all.length - 1] as ProbeResult, 5, chance)).toBe(
    minutes,
  )
})

test.each([
  [200, 'answered'],
  [302, 'answered'],
  [401, 'answered'],
  [404, 'answered'],
  [429, 'answered'],
  [500, 'failed'],
  [503, 'failed'],
] as const)('an answer of %i is %s', (status, kind) => {
  expect(readStatus(status, 1).kind).toBe(kind)
})

test.each([
  ['CERT_HAS_EXPIRED', undefined, 'failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'answered'],
  ['ECONNREFUSED', undefined, 'failed'],
  [undefined, 'late', 'failed'],
  [undefined, 'closed', 'closed'],
] as const)('%s %s: %s', (network, because, kind) => {
  expect(readIssue(new OutboundError('It is so.', network, because), 1).kind).toBe(kind)
})

test('when nothing can be reached, nobody is down', () => {
  const up = { before: 'up' as const, outcome: failed }
  expect(isServerError([up, up, up])).toBe(true)
  expect(isServerError([up, up])).toBe(false)
  expect(isServerError([up, up, up, { before: 'up', outcome: quick }])).toBe(false)
  expect(isServerError([up, up, up, { before: 'up', outcome: broken }])).toBe(false)
  expect(isServerError(Array(3).fill({ before: 'down', outcome: failed }))).toBe(false)
})
