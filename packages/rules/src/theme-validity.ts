import { parseZonedTime } from './parse-zoned-time.ts'

/** One entry of a theme's `validLists`, in the specification's terms. */
export type ThemeValidity = {
  validTimeType: 'permanent' | 'custom'
  customValidTimeType?: 'include' | 'exclude'
  /** with an offset, or in the institution's zone: `2026-02-16 00:00:00` */
  customValidStartTime?: string
  customValidEndTime?: string
}

/**
 * Whether a theme applies now: some entry is permanent, includes this moment strictly between start and end, or
 * excludes a span that this moment lies strictly before or after (specification, shell 4). An entry with unreadable
 * times is ignored.
 * @param zone the institution's
 */
export const themeValidAt = (
  validLists: readonly ThemeValidity[],
  now: Date,
  zone: string,
): boolean => validLists.some((entry) => isValid(entry, now.getTime(), zone))

function isValid(entry: ThemeValidity, now: number, zone: string) {
  if (entry.validTimeType === 'permanent') return true
  if (entry.validTimeType !== 'custom') return false
  const start = parseZonedTime(entry.customValidStartTime ?? '', zone)
  const end = parseZonedTime(entry.customValidEndTime ?? '', zone)
  if (Number.isNaN(start) || Number.isNaN(end)) return false
  if (entry.customValidTimeType === 'include') return start < now && now < end
  if (entry.customValidTimeType === 'exclude') return now < start || now > end
  return false
}
