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
    ['is unknown after a single failure', [failed], 'unknown', undefined],
    ['is up after two failures', [quick, failed, broken], 'up', 0],
    [
      'is down after three failures, since the first one',
      [quick, failed, broken, failed],
      'down',
      1,
    ],
    ['stays down since the first failure', [failed, failed, failed, failed, failed], 'down', 0],
    ['is up after the first successful probe', [failed, failed, failed, quick], 'up', 3],
    [
      'is up if a success interrupts the failures',
      [failed, failed, quick, failed, failed],
      'up',
      2,
    ],
    ['is up after one slow response', [quick, late], 'up', 0],
    ['is slow after two slow responses', [quick, late, late], 'slow', 1],
    ['is up if it recovers with a slow response', [failed, failed, failed, late], 'up', 3],
    [
      'is unknown if probing is not allowed',
      [failed, failed, failed, closed],
      'unknown',
      undefined,
    ],
  ] as const)('%s', (_, found, state, since) => {
    const known = after(...found)
    expect(known.state).toBe(state)
    expect(known.since).toEqual(since === undefined ? null : at(since))
  })
})

test.each([
  ['is at least the setting', [quick], 0, 5],
  ['varies by up to a fifth', [quick], 1, 6],
  ['is not shorter while a failure is being confirmed', [failed, failed], 0, 5],
  ['grows while the host is down', [failed, failed, failed, failed], 0, 10],
  ['has an upper limit', Array(20).fill(failed), 0, 20],
  ['is long if probing is not allowed', [closed], 0, 60],
] as const)('the probe interval %s', (_, found, chance, minutes) => {
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
] as const)('a response with status %i is %s', (status, kind) => {
  expect(readStatus(status, 1).kind).toBe(kind)
})

test.each([
  ['CERT_HAS_EXPIRED', undefined, 'failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'answered'],
  ['ECONNREFUSED', undefined, 'failed'],
  [undefined, 'late', 'failed'],
  [undefined, 'closed', 'closed'],
] as const)('error code %s with reason %s is %s', (network, because, kind) => {
  expect(readIssue(new OutboundError('It is so.', network, because), 1).kind).toBe(kind)
})

test('simultaneous failures of all hosts count as a failure of our own server', () => {
  const up = { before: 'up' as const, outcome: failed }
  expect(isServerError([up, up, up])).toBe(true)
  expect(isServerError([up, up])).toBe(false)
  expect(isServerError([up, up, up, { before: 'up', outcome: quick }])).toBe(false)
  expect(isServerError([up, up, up, { before: 'up', outcome: broken }])).toBe(false)
  expect(isServerError(Array(3).fill({ before: 'down', outcome: failed }))).toBe(false)
})
