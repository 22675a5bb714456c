import type { OutboundError } from '#platform/outbound/outbound.ts'

export type HostState = 'unknown' | 'up' | 'slow' | 'down'
export type Known = {
  state: HostState
  /** start of the current state */
  since: Date | null
  /** consecutive failed probes, and consecutive slow answers */
  failures: number
  slowAnswers: number
  /** time of the first of them */
  troubleAt: Date | null
}
/** Result of one probe. `closed`: probing is not allowed, so the state is unknown. */
export type Found =
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'failed'; status: number | null; issue: string; network: boolean }
  | { kind: 'closed'; issue: string }

/** A single failure may be a restart or a lost packet. */
const failuresUntilDown = 3
const slowUntilSlow = 2
const slowMilliseconds = 4000
/** Maximum factor by which the interval grows while a host stays down. */
const maxPause = 4
/** Factor for closed hosts: probed rarely, in case an operator has opened them. */
const closedPause = 12

/** The state of a host after another probe. The first answer makes it available again. */
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
 * Minutes until the next probe: at least the setting, longer while the host is down, with jitter.
 * @param chance from 0 to 1
 */
export function pauseAfter(known: Known, found: Found, minutes: number, chance: number): number {
  const factor =
    found.kind === 'closed'
      ? closedPause
      : Math.min(maxPause, 2 ** Math.max(0, known.failures - failuresUntilDown))
  return minutes * factor * (1 + chance / 5)
}

/** Certificate errors that do not count as failures: members' devices may trust the institution's own authority. */
const unchecked = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]

/** Interprets a status. A login page, redirect or 4xx shows that the host is available. */
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

/** Whether a status means that the address no longer exists. */
export const isDead = (status: number) => status === 404 || status === 410

/** Whether every probed host failed at network level, which indicates a problem of our own network. */
export const isServerError = (found: readonly { before: HostState; found: Found }[]) =>
  found.filter(({ before }) => before !== 'down').length >= 3 &&
  found.every(({ found }) => found.kind === 'failed' && found.network)
