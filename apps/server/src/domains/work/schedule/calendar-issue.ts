import type { CalendarReason } from '@atrium/contract/work/calendar-exchange'
import { RowIssue } from '#platform/ingest/row-issue.ts'

/** Texts for operators; members get translated ones. */
const sentences = {
  severalRules: () => 'has several recurrence rules; one is supported',
  wholeDaysWithin: () => 'lasts whole days and repeats within a day',
  allFollowing: () => 'changes an occurrence “and all following”, which is not supported',
  noStart: () => 'has no start (DTSTART)',
  noTime: (property: string) => `has no time in ${property}`,
  endsBefore: () => 'ends before it starts',
  tooLong: () => 'lasts longer than a year',
  badDate: (date: string) => `has the date ${date}, which cannot be right`,
  unknownZone: (zone: string) => `is in the time zone ${zone}, which is not known here`,
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
