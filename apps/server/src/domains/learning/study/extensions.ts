import type { CourseSource } from '@atrium/contract/learning/study'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'

/** Who brings in courses or their content from another system says how fresh it is, by the id of the course. */
export const courseSources =
  extension<(db: Db, courseIds: readonly string[]) => Promise<Map<string, CourseSource>>>()

/** What is known of the sources of these courses, those that are stale first. */
export async function sourcesOf(db: Db, courseIds: readonly string[]): Promise<CourseSource[]> {
  const all = await Promise.all(courseSources.all().map((of) => of(db, courseIds)))
  const byName = new Map(all.flatMap((found) => [...found.values()]).map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => Number(b.stale) - Number(a.stale))
}
