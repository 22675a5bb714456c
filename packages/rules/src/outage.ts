type Outage = { kind: 'down' | 'slow' | 'maintenance'; since: string; until: string | null }

/** `planned`: not started yet. `over`: no longer relevant. */
export type OutageState = 'down' | 'slow' | 'maintenance' | 'planned' | 'over'

/** State of an outage at this moment; an answer that holds one may have been cached. */
export function outageState(outage: Outage, now: Date): OutageState {
  if (outage.until !== null && Date.parse(outage.until) <= now.getTime()) return 'over'
  return Date.parse(outage.since) > now.getTime() ? 'planned' : outage.kind
}

/** Whether to warn a member who opens the service now. */
export const isUnavailable = (state: OutageState) => state === 'down' || state === 'maintenance'

/** Time of the next state change in epoch milliseconds; undefined: none is scheduled. */
export function nextChange({ since, until }: Outage, now: Date): number | undefined {
  return [Date.parse(since), until === null ? Number.NaN : Date.parse(until)].find(
    (ms) => ms > now.getTime(),
  )
}
