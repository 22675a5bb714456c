import { cachedRead } from '#platform/area-state.ts'
import type { Platform } from '#platform/platform.ts'

/**
 * The institution's terms, newest first, and its holidays by day. Cached: a few dozen rows a year, used by every
 * calendar view.
 */
const readYears = cachedRead(['schedule'], async ({ db }) => {
  const [terms, holidays] = await Promise.all([
    db
      .selectFrom('academic_term')
      .select(['name', 'name_en as nameEn', 'starts_on as startsOn', 'weeks'])
      .orderBy('starts_on', 'desc')
      .execute(),
    db
      .selectFrom('holiday')
      .select(['day', 'name', 'name_en as nameEn', 'off', 'taught_as as taughtAs'])
      .orderBy('day')
      .execute(),
  ])
  return {
    terms: terms.map((term) => ({ term, endsBefore: dayAfter(term.startsOn, term.weeks * 7) })),
    holidays,
  }
})
const dayAfter = (day: string, days: number) =>
  Temporal.PlainDate.from(day).add({ days }).toString()

/** The term containing a day, or the last term that overlaps a range. Days are YYYY-MM-DD; `to` is inclusive. */
export async function findTerm(platform: Platform, from: string, to = from) {
  const { terms } = await readYears(platform)
  return terms.find(({ term, endsBefore }) => term.startsOn <= to && endsBefore > from)?.term
}

export async function listHolidays(platform: Platform, from: string, to: string) {
  const { holidays } = await readYears(platform)
  return holidays.filter(({ day }) => day >= from && day <= to)
}
