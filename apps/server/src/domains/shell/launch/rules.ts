import type { Static } from '@atrium/contract/define'
import type { OpeningPageContent, SlideContent, ThemeContent } from '@atrium/contract/shell/launch'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { isIsoDate } from '@atrium/rules/validators'
import type { IssueKind } from '#platform/http/errors.ts'

/** Issues that a schema cannot express, by field. */
export type Issues = Record<string, IssueKind>

/** A custom range needs two valid dates in order. */
export function openingPageIssues(page: Static<typeof OpeningPageContent>): Issues {
  if (page.validDateType === 'permanent') return {}
  const { customValidStartDate: first, customValidEndDate: last } = page
  return {
    ...(first === '' && { customValidStartDate: 'required' }),
    ...(last === '' && { customValidEndDate: 'required' }),
    ...(first !== '' && !isIsoDate(first) && { customValidStartDate: 'format' }),
    ...(last !== '' && !isIsoDate(last) && { customValidEndDate: 'format' }),
    ...(first !== '' && last !== '' && last < first && { customValidEndDate: 'order' }),
  }
}

/** @param zone the institution's time zone, used for times without an offset */
export function themeIssues(theme: Static<typeof ThemeContent>, zone: string): Issues {
  const issues: Issues = {}
  for (const [index, entry] of theme.validLists.entries()) {
    if (entry.validTimeType === 'permanent') continue
    const moments = (['customValidStartTime', 'customValidEndTime'] as const).map((name) => {
      const at = parseZonedTime(entry[name], zone)
      if (Number.isNaN(at))
        issues[`validLists.${index}.${name}`] = entry[name] === '' ? 'required' : 'format'
      return at
    })
    const [start = 0, end = 0] = moments
    if (end < start) issues[`validLists.${index}.customValidEndTime`] = 'order'
  }
  return issues
}

export const slideIssues = ({ startsAt, endsAt }: Static<typeof SlideContent>): Issues =>
  startsAt !== null && endsAt !== null && Date.parse(endsAt) < Date.parse(startsAt)
    ? { endsAt: 'order' }
    : {}
