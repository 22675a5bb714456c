import type { CourseSource } from '@atrium/contract/learning/study'
import type { Db } from '#platform/database/db.ts'
import { extension } from '#platform/extension.ts'

/** Provides the freshness of content imported from other systems, by course id. */
export const courseSources =
  extension<(db: Db, courseIds: readonly string[]) => Promise<Map<string, CourseSource>>>()

/** The sources of these courses, stale ones first. */
export async function listCourseSources(
  db: Db,
  courseIds: readonly string[],
): Promise<CourseSource[]> {
  const all = await Promise.all(courseSources.all().map((of) => of(db, courseIds)))
  const byName = new Map(all.flatMap((found) => [...found.values()]).map((one) => [one.name, one]))
  return [...byName.values()].sort((a, b) => Number(b.stale) - Number(a.stale))
}
