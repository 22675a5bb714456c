const dayLength = 24 * 3_600_000

/**
 * The teaching week of a day, counted from the Monday of the term's first week; undefined outside the term.
 * @param day YYYY-MM-DD
 */
export function teachingWeek(
  day: string,
  term: { startsOn: string; weeks: number } | null | undefined,
) {
  if (!term) return undefined
  const start = Date.parse(term.startsOn)
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * dayLength
  const week = Math.floor((Date.parse(day) - monday) / (7 * dayLength)) + 1
  return week >= 1 && week <= term.weeks ? week : undefined
}
