type Outage = { kind: 'down' | 'slow' | 'maintenance'; since: string; until: string | null }

/** `planned`: has not begun. `over`: nothing to say any more. */
export type OutageState = 'down' | 'slow' | 'maintenance' | 'planned' | 'over'

/** What an outage means at this moment: an answer that holds one may have been kept for a while. */
export function outageState(outage: Outage, now: Date): OutageState {
  if (outage.until !== null && Date.parse(outage.until) <= now.getTime()) return 'over'
  return Date.parse(outage.since) > now.getTime() ? 'planned' : outage.kind
}

/** Whether somebody who opens it now has to be warned. */
export const isOut = (state: OutageState) => state === 'down' || state === 'maintenance'

/** When it next means something else, in milliseconds of the clock; nothing: not by itself. */
export function nextChange({ since, until }: Outage, now: Date): number | undefined {
  return [Date.parse(since), until === null ? Number.NaN : Date.parse(until)].find(
    (at) => at > now.getTime(),
  )
}
