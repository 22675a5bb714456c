import type { OutboundError } from '#platform/outbound/outbound.ts'

export type HostState = 'unknown' | 'up' | 'slow' | 'down'
export type Known = {
  state: HostState
  /** since when it has been so */
  since: Date | null
  /** probes in a row that failed, and that were answered late */
  failures: number
  slowAnswers: number
  /** when the first of either was */
  troubleAt: Date | null
}
/** What one probe found. `closed`: it may not be asked, which says nothing of it. */
export type Found =
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'failed'; status: number | null; issue: string; network: boolean }
  | { kind: 'closed'; issue: string }

/** One failure is no outage: a restart, a lost packet. */
const failuresUntilDown = 3
const slowUntilSlow = 2
const slowMilliseconds = 4000
/** How many times as long a host that stays down is left alone, at most. */
const maxPause = 4
/** What may not be asked is looked at again once in a while: an operator may have opened it. */
const closedPause = 12

/** What is known of a host after one more probe. It is up again with the first answer. */
export function afterProbe(known: Known, found: Found, at: Date): Known {
  const unknown = { since: null, failures: 0, slowAnswers: 0, troubleAt: null }
  if (found.kind === 'closed') return { state: 'unknown', ...unknown }
  const failed = found.kind === 'failed'
  const slow = found.kind === 'answered' && found.milliseconds >= slowMilliseconds
  const failures = failed ? known.failures + 1 : 0
  const slowAnswers = slow ? known.slowAnswers + 1 : 0
  const sameTrouble = failed ? known.failures > 0 : slow && known.slowAnswers > 0
  const troubleAt = failed || slow ? (sameTrouble && known.troubleAt) || at : null
  const state: HostState = failed
    ? failures >= failuresUntilDown
      ? 'down'
      : known.state
    : slow && (slowAnswers >= slowUntilSlow || known.state === 'slow')
      ? 'slow'
      : 'up'
  const since = state === known.state ? known.since : (troubleAt ?? at)
  return { state, since, failures, slowAnswers, troubleAt }
}

/**
 * Minutes until a host is probed again: never fewer than the setting says, more and more while it is down, and never the same
 * for all of them.
 * @param chance from 0 to 1
 */
export function pauseAfter(known: Known, found: Found, minutes: number, chance: number): number {
  const factor =
    found.kind === 'closed'
      ? closedPause
      : Math.min(maxPause, 2 ** Math.max(0, known.failures - failuresUntilDown))
  return minutes * factor * (1 + chance / 5)
}

/** Certificates that we cannot check, but members' devices may: an institution often has its own authority. */
const unchecked = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]

/** What an answer says. Whoever asks to sign in, sends on or refuses strangers is there. */
export const readStatus = (status: number, milliseconds: number): Found =>
  status >= 500
    ? { kind: 'failed', status, issue: `It answers ${status}.`, network: false }
    : { kind: 'answered', status, milliseconds }

export function readIssue(issue: OutboundError, milliseconds: number): Found {
  if (issue.because === 'closed') return { kind: 'closed', issue: issue.message }
  if (issue.network && unchecked.includes(issue.network))
    return { kind: 'answered', status: 0, milliseconds }
  return { kind: 'failed', status: null, issue: issue.message, network: true }
}

/** An address that is there no more, whoever asks. */
export const isDead = (status: number) => status === 404 || status === 410

/** When nothing at all can be reached, it is our own network that is down, and nobody's service. */
export const isServerError = (found: readonly { before: HostState; found: Found }[]) =>
  found.filter(({ before }) => before !== 'down').length >= 3 &&
  found.every(({ found }) => found.kind === 'failed' && found.network)
