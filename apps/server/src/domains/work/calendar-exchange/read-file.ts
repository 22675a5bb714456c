import { setImmediate } from 'node:timers/promises'
import type { CalendarReason } from '@atrium/contract/work/calendar-exchange'
import { type ParsedEvent, readCalendarInSteps } from '#domains/work/schedule/read-calendar.ts'
import type { CalendarEvent } from '#domains/work/schedule/read-vevent.ts'
import { limitConcurrency } from '#platform/concurrency.ts'
import { StartError } from '#platform/environment.ts'
import { fail } from '#platform/http/errors.ts'

/** Limits for one calendar of a member, from a file or from an address. */
export const maxBytes = 5 * 1024 * 1024
export const maxEvents = 5000
/** Maximum time for expanding a file's rules; a common file takes a few hundredths of it. */
const maxReadingMs = 15_000

type Remark = {
  line: number
  title: string
  leftOut: boolean
  reason: CalendarReason
  detail: string
}
export type MemberFile = { entries: ParsedEvent[]; events: CalendarEvent[]; remarks: Remark[] }
/** The reason why a file is refused as a whole. */
export class UnreadableFile extends Error {
  readonly because: 'notCalendar' | 'tooMany' | 'tooComplex'
  constructor(because: UnreadableFile['because']) {
    super(because)
    this.because = because
  }
}

/** Processes one file at a time per node, from reading to writing; others wait, or are refused if too many. */
export const oneAtATime = limitConcurrency(1, 20, () =>
  fail('request.too_many', { retryAfter: 30 }),
)

/** Reads a member's calendar file, yielding to other requests in between. @throws UnreadableFile */
export async function readMemberFile(text: string, timeZone: string): Promise<MemberFile> {
  if ((text.match(/^BEGIN:VEVENT\s*$/gim) ?? []).length > maxEvents)
    throw new UnreadableFile('tooMany')
  const remarks: Remark[] = []
  const note = (_: string, remark: Pick<Remark, 'line' | 'title' | 'reason'>) =>
    void remarks.push({ ...remark, leftOut: remark.reason !== 'frequent', detail: '' })
  const steps = readCalendarInSteps(text, { from: 'file.ics', timeZone }, note)
  const entries: ParsedEvent[] = []
  const byUid = new Map<string, CalendarEvent>()
  let elapsedMs = 0
  for (;;) {
    const started = performance.now()
    const step = nextStep(steps)
    elapsedMs += performance.now() - started
    if (!step) break
    for (const entry of step) {
      const { row: line, event, title = '', why } = entry
      entries.push(entry)
      if (why) remarks.push({ line, title, leftOut: true, ...why })
      else if (event && byUid.has(event.uid))
        remarks.push({ line, title: event.title, leftOut: true, reason: 'older', detail: '' })
      else if (event) byUid.set(event.uid, event)
    }
    // RDATEs count as events too.
    if (byUid.size > maxEvents) throw new UnreadableFile('tooMany')
    if (elapsedMs > maxReadingMs) throw new UnreadableFile('tooComplex')
    if (performance.now() - started > 5 || entries.length % 50 === 0) await setImmediate()
  }
  return { entries, events: [...byUid.values()], remarks }
}

function nextStep(steps: Generator<ParsedEvent[]>): ParsedEvent[] | undefined {
  try {
    const { done, value } = steps.next()
    return done ? undefined : value
  } catch (error) {
    if (error instanceof StartError) throw new UnreadableFile('notCalendar')
    throw error
  }
}
