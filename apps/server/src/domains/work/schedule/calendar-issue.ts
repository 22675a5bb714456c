import type { CalendarReason } from '@atrium/contract/work/calendar-exchange'
import { RowIssue } from '#platform/ingest/row-issue.ts'

/** Texts for operators; members get translated ones. */
const sentences = {
  severalRules: () => 'has several recurrence rules; only one is supported',
  wholeDaysWithin: () => 'is an all-day event, but repeats within a day',
  allFollowing: () => 'changes an occurrence “and all following”, which is not supported',
  noStart: () => 'has no start (DTSTART)',
  noTime: (property: string) => `has no time in ${property}`,
  endsBefore: () => 'ends before it starts',
  tooLong: () => 'lasts longer than a year',
  badDate: (date: string) => `has the invalid date ${date}`,
  unknownZone: (zone: string) => `is in the unknown time zone ${zone}`,
} satisfies Partial<Record<CalendarReason, (detail: string) => string>>

/** A fault in one event of an iCalendar file. */
export class CalendarIssue extends RowIssue {
  readonly reason: keyof typeof sentences
  readonly detail: string
  constructor(reason: keyof typeof sentences, detail = '') {
    super(sentences[reason](detail))
    this.reason = reason
    this.detail = detail
  }
}
