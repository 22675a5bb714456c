/**
 * Circuit breaker of an upstream, per node: after repeated failures it is not called for a while, so that nobody waits
 * for it.
 */
export type Circuit = {
  address: string
  /** consecutive failures */
  failures: number
  /** time until which it is not called */
  openUntil: number
  inFlight: number
}

/** consecutive failures that open the circuit */
const maxFailures = 5
/** milliseconds it stays open; then one call tests the upstream */
const openMs = 10_000
/** maximum concurrent calls per upstream */
const maxInFlight = 64

export const newCircuit = (address: string): Circuit => ({
  address,
  failures: 0,
  openUntil: 0,
  inFlight: 0,
})

/** Whether the upstream may be called now. If true, the caller must `release`. */
export function tryAcquire(circuit: Circuit, now: number): boolean {
  if (circuit.inFlight >= maxInFlight || circuit.openUntil > now) return false
  // Half-open: other calls wait for the result of this one.
  if (circuit.failures >= maxFailures) circuit.openUntil = now + openMs
  circuit.inFlight += 1
  return true
}

/** @param isAlive whether it answered, with any result */
export function release(circuit: Circuit, isAlive: boolean, now: number) {
  circuit.inFlight -= 1
  circuit.failures = isAlive ? 0 : circuit.failures + 1
  circuit.openUntil = circuit.failures >= maxFailures ? now + openMs : 0
}

/** Seconds until the next attempt makes sense. */
export const retryAfterSeconds = (circuit: Circuit, now: number) =>
  Math.max(1, Math.ceil((circuit.openUntil - now) / 1000))
