import type { OutboundError } from '#platform/outbound/outbound.ts'

export type HostState = 'unknown' | 'up' | 'slow' | 'down'
export type HostHealth = {
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
export type ProbeResult =
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'failed'; status: number | null; issue: string; network: boolean }
  | { kind: 'closed'; issue: string }

/** A single failure may be a restart or a lost packet. */
const failuresUntilDown = 3
const slowUntilSlow = 2
const slowMilliseconds = 4000
/** Maximum factor by which the interval grows while a host stays down. */
const maxBackoff = 4
/** Factor for closed hosts: probed rarely, in case an operator has opened them. */
const closedFactor = 12

/** The state of a host after another probe. The first answer makes it available again. */
export function afterProbe(health: HostHealth, outcome: ProbeResult, now: Date): HostHealth {
  const unknown = { since: null, failures: 0, slowAnswers: 0, troubleAt: null }
  if (outcome.kind === 'closed') return { state: 'unknown', ...unknown }
  const isFailed = outcome.kind === 'failed'
  const isSlow = outcome.kind === 'answered' && outcome.milliseconds >= slowMilliseconds
  const failures = isFailed ? health.failures + 1 : 0
  const slowAnswers = isSlow ? health.slowAnswers + 1 : 0
  const isContinuing = isFailed ? health.failures > 0 : isSlow && health.slowAnswers > 0
  const troubleAt = isFailed || isSlow ? (isContinuing && health.troubleAt) || now : null
  const state: HostState = isFailed
    ? failures >= failuresUntilDown
      ? 'down'
      : health.state
    : isSlow && (slowAnswers >= slowUntilSlow || health.state === 'slow')
      ? 'slow'
      : 'up'
  const since = state === health.state ? health.since : (troubleAt ?? now)
  return { state, since, failures, slowAnswers, troubleAt }
}

/**
 * Minutes until the next probe: at least the setting, longer while the host is down, with jitter.
 * @param random from 0 to 1
 */
export function minutesUntilNextProbe(
  health: HostHealth,
  outcome: ProbeResult,
  minutes: number,
  random: number,
): number {
  const factor =
    outcome.kind === 'closed'
      ? closedFactor
      : Math.min(maxBackoff, 2 ** Math.max(0, health.failures - failuresUntilDown))
  return minutes * factor * (1 + random / 5)
}

/** Certificate errors that do not count as failures: members' devices may trust the institution's own authority. */
const ignoredCertificateErrors = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]

/** Interprets a status. A login page, redirect or 4xx shows that the host is available. */
export const readStatus = (status: number, milliseconds: number): ProbeResult =>
  status >= 500
    ? {
        kind: 'failed',
        status,
        issue: `The service answered with status ${status}.`,
        network: false,
      }
    : { kind: 'answered', status, milliseconds }

export function readIssue(issue: OutboundError, milliseconds: number): ProbeResult {
  if (issue.because === 'closed') return { kind: 'closed', issue: issue.message }
  if (issue.network && ignoredCertificateErrors.includes(issue.network))
    return { kind: 'answered', status: 0, milliseconds }
  return { kind: 'failed', status: null, issue: issue.message, network: true }
}

/** Whether a status means that the address no longer exists. */
export const isGone = (status: number) => status === 404 || status === 410

/** Whether every probed host failed at network level, which indicates a problem of our own network. */
export const isServerError = (probes: readonly { before: HostState; outcome: ProbeResult }[]) =>
  probes.filter(({ before }) => before !== 'down').length >= 3 &&
  probes.every(({ outcome }) => outcome.kind === 'failed' && outcome.network)
