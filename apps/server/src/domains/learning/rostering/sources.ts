import type {
  StudySource,
  StudySourceFields,
} from '@atrium/contract/learning/study-sources.operator'
import { type Selectable, sql } from 'kysely'
import { type Db, prepared } from '#platform/database/db.ts'
import type { StudySource as Row } from '#platform/database/db-schema.gen.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'

export type Source = Selectable<Row>

const courses = sql<number>`(select count(*)::integer from study_source_course c where c.source_id = study_source.id)`
const toSource = (row: Source & { courses: number }): StudySource => ({
  code: row.code,
  kind: row.kind as StudySource['kind'],
  name: row.name,
  nameEn: row.name_en,
  address: row.address,
  tokenUrl: row.token_url,
  clientId: row.client_id,
  everyMinutes: row.every_minutes,
  enabled: row.enabled,
  hasSecret: row.sealed_secret !== null,
  courses: row.courses,
  readAt: row.read_at,
  nextAt: row.next_at,
  failures: row.failures,
  error: row.error,
  added: row.added,
  changed: row.changed,
  issues: row.issues as string[],
})

export async function listSources(db: Db, code?: string): Promise<StudySource[]> {
  const rows = await db
    .selectFrom('study_source')
    .selectAll()
    .select(courses.as('courses'))
    .$if(code !== undefined, (query) => query.where('code', '=', code ?? ''))
    .orderBy('code')
    .limit(200)
    .execute()
  return rows.map(toSource)
}

export async function getSource(db: Db, code: string): Promise<StudySource> {
  const [source] = await listSources(db, code)
  return source ?? fail('study.source_not_found')
}

export const findSource = (db: Db, code: string) =>
  db.selectFrom('study_source').selectAll().where('code', '=', code).executeTakeFirst()

/** Enabled sources that are due. */
export const listDueSources = (db: Db) =>
  db
    .selectFrom('study_source')
    .selectAll()
    .where('enabled', '=', true)
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(20)
    .execute()

const hostsOf = (source: { address: string; tokenUrl: string }) =>
  [source.address, source.tokenUrl].map((url) => (url ? new URL(url).host : '')).join(' ')

/** Creates or updates a source. @throws request.invalid */
export async function putSource(
  db: Db,
  secret: Secret,
  code: string,
  fields: StudySourceFields,
): Promise<StudySource> {
  const issues: Record<string, IssueKind> = {}
  if (!URL.canParse(fields.address)) issues.address = 'format'
  if (fields.tokenUrl && !URL.canParse(fields.tokenUrl)) issues.tokenUrl = 'format'
  if (fields.kind === 'oneroster' && !fields.tokenUrl) issues.tokenUrl = 'required'
  if (fields.kind === 'oneroster' && !fields.clientId) issues.clientId = 'required'
  const [existing] = await listSources(db, code)
  // A stored secret is not reused for another host.
  const keepsHost =
    existing && Object.keys(issues).length === 0 && hostsOf(existing) === hostsOf(fields)
  if (fields.secret === undefined && !(keepsHost && existing?.hasSecret)) issues.secret = 'required'
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  const columns = {
    kind: fields.kind,
    name: fields.name.trim(),
    name_en: fields.nameEn.trim(),
    address: fields.address.replace(/\/+$/, ''),
    token_url: fields.tokenUrl,
    client_id: fields.clientId,
    every_minutes: fields.everyMinutes,
    enabled: fields.enabled,
    next_at: sql<string>`now()`,
    full_at: null,
    ...(fields.secret !== undefined && { sealed_secret: secret.encrypt(fields.secret) }),
  }
  await db
    .insertInto('study_source')
    .values({ code, ...columns })
    .onConflict((conflict) => conflict.column('code').doUpdateSet(columns))
    .execute()
  return getSource(db, code)
}

export async function removeSource(db: Db, code: string) {
  const { numDeletedRows } = await db
    .deleteFrom('study_source')
    .where('code', '=', code)
    .executeTakeFirst()
  if (numDeletedRows === 0n) fail('study.source_not_found')
}

/** Replaces the list of courses that a source has content for. */
export async function replaceCourses(db: Db, sourceId: string, ids: readonly string[]) {
  await sql`
    delete from study_source_course where source_id = ${sourceId} and course_id <> all(${ids as string[]}::bigint[])`.execute(
    db,
  )
  await sql`
    insert into study_source_course (source_id, course_id)
    select ${sourceId}, unnest(${ids as string[]}::bigint[]) on conflict do nothing`.execute(db)
}

type Freshness = {
  courseId: string
  name: string
  nameEn: string
  readAt: string | null
  stale: boolean
}
const selectFreshness = prepared(
  (_db, { courseIds }: { courseIds: readonly string[] }) => sql<Freshness>`
    select c.course_id as "courseId", source.name, source.name_en as "nameEn", source.read_at as "readAt",
      source.failures > 0 or coalesce(source.read_at < now() - make_interval(mins => source.every_minutes * 3), true) as stale
    from study_source_course c join study_source source on source.id = c.source_id and source.enabled
    where c.course_id = any(${courseIds}::bigint[])`,
)
/** Freshness of courses' content: stale if the source failed or missed three reads. */
export async function listFreshness(db: Db, courseIds: readonly string[]) {
  const rows = await selectFreshness(db, { courseIds })
  return new Map(rows.map(({ courseId, ...one }) => [courseId, one]))
}
