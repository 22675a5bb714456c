/** What this node knows of a system: one that does not answer is left alone for a while, and costs nobody a wait. */
export type Circuit = {
  address: string
  /** failures in a row */
  failures: number
  /** until when it is not asked */
  openUntil: number
  inFlight: number
}

/** failures in a row after which a system is left alone */
const maxFailures = 5
/** milliseconds for which it is; then one call tries it again */
const rest = 10_000
/** calls that may wait for one system at a time */
const maxAtOnce = 64

export const newCircuit = (address: string): Circuit => ({
  address,
  failures: 0,
  openUntil: 0,
  inFlight: 0,
})

/** Whether the system may be asked now. A caller that got true has to `release`. */
export function tryAcquire(circuit: Circuit, now: number): boolean {
  if (circuit.inFlight >= maxAtOnce || circuit.openUntil > now) return false
  // Back from its rest: the others wait for what the first one hears.
  if (circuit.failures >= maxFailures) circuit.openUntil = now + rest
  circuit.inFlight += 1
  return true
}

/** @param alive it gave an answer, whatever that was */
export function release(circuit: Circuit, alive: boolean, now: number) {
  circuit.inFlight -= 1
  circuit.failures = alive ? 0 : circuit.failures + 1
  circuit.openUntil = circuit.failures >= maxFailures ? now + rest : 0
}

/** Seconds until another try makes sense. */
export const waitFor = (circuit: Circuit, now: number) =>
  Math.max(1, Math.ceil((circuit.openUntil - now) / 1000))
