import { sql } from 'kysely'
import type { Database } from '#platform/database/db.ts'
import { type Environment, StartError } from '#platform/environment.ts'
import { type ImportReport, runImport } from '#platform/ingest/import.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import type { Secret } from '#platform/secret.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { writeGradebook } from './gradebook.ts'
import { importRecords } from './import-oneroster.ts'
import { readMoodle } from './moodle.ts'
import { readLocalCopy, updateLocalCopy } from './oneroster-rest.ts'
import { SourceError } from './source-client.ts'
import { listDueSources, replaceCourses, type Source } from './sources.ts'
import { writeContent } from './write-content.ts'

const maxIssues = 50
/** Minutes until the first retry after a failure; longer after each further one, at most the usual interval. */
const retryDelayMinutes = 5

export type Reader = {
  db: Database
  url: string
  env: Environment
  secret: Secret
  log: { warn: (about: object, message: string) => void }
}

/**
 * Reads and imports a source. On failure its existing content is kept and the error is stored.
 * @returns whether it succeeded
 */
export async function readSource(
  reader: Reader,
  source: Source,
  { force = false } = {},
): Promise<boolean> {
  const { db, log } = reader
  const issues: string[] = []
  const onIssue = (row: number, sentence: string) => {
    if (issues.length < maxIssues) issues.push(`${row}: ${sentence}`)
  }
  const startedAt = new Date().toISOString()
  try {
    const secret = source.sealed_secret && reader.secret.decrypt(source.sealed_secret)
    if (!secret)
      throw new SourceError('Its secret was encrypted with another ATRIUM_SECRET. Enter it again.')
    const { report, fullAt } = await (source.kind === 'moodle' ? fromMoodle : fromOneRoster)(
      reader,
      source,
      { secret, force, onIssue },
    )
    await db
      .updateTable('study_source')
      .set({
        read_at: startedAt,
        ...(fullAt && { full_at: fullAt }),
        failures: 0,
        error: '',
        added: report.added,
        changed: report.changed,
        issues: JSON.stringify(issues),
        next_at: sql<string>`now() + make_interval(mins => every_minutes)`,
      })
      .where('id', '=', source.id)
      .execute()
    return true
  } catch (error) {
    const isExpected =
      error instanceof SourceError || error instanceof OutboundError || error instanceof StartError
    log.warn(
      { err: isExpected ? undefined : error, source: source.code },
      'a study source was not read',
    )
    await db
      .updateTable('study_source')
      .set({
        failures: sql<number>`failures + 1`,
        error: isExpected
          ? error.message.slice(0, 500)
          : 'The source could not be read; see the server log.',
        issues: JSON.stringify(issues),
        next_at: sql<string>`now() + make_interval(mins => least(every_minutes, ${retryDelayMinutes} * (failures + 1)))`,
      })
      .where('id', '=', source.id)
      .execute()
    return false
  }
}

type ReadOptions = {
  secret: string
  force: boolean
  onIssue: (row: number, sentence: string) => void
}
type Outcome = { report: ImportReport; fullAt: string | null }

async function fromOneRoster(
  { db, url, env }: Reader,
  source: Source,
  { secret, force, onIssue }: ReadOptions,
): Promise<Outcome> {
  const fullAt = await updateLocalCopy(db, source, secret, env.ATRIUM_OUTBOUND_ALLOW)
  const records = await readLocalCopy(db, source)
  const { timeZone } = await readSettings(db)
  const report = await runImport(url, { onIssue, onWait: () => {} }, (run) =>
    importRecords(run, `oneroster ${source.code}`, records, {
      timeZone,
      force,
      onCourses: (ids) => replaceCourses(run.db, source.id, ids),
    }),
  )
  return { report, fullAt }
}

async function fromMoodle(
  { db, url, env }: Reader,
  source: Source,
  { secret, onIssue }: ReadOptions,
): Promise<Outcome> {
  const content = await readMoodle(db, source, secret, env.ATRIUM_OUTBOUND_ALLOW)
  const { timeZone } = await readSettings(db)
  const name = `moodle ${source.code}`
  const report = await runImport(url, { onIssue, onWait: () => {} }, async (run) => {
    const plan = await writeContent(run.db, name, content)
    for (const [index, { code }] of content.withheld.entries())
      run.issue(index + 1, `Moodle gives no access to the assignments and grades of ${code}`)
    const withheld = new Set(content.withheld.map(({ courseId }) => courseId))
    const marks = await writeGradebook(run.db, name, {
      courses: content.courses.filter((id) => !withheld.has(id)),
      items: rowsOf(content.items),
      results: rowsOf(content.results),
      complete: () => true,
      covered: content.covered,
      issue: run.issue,
      timeZone,
    })
    await replaceCourses(run.db, source.id, content.courses)
    return {
      added: plan.added + marks.added,
      changed: plan.changed + marks.changed,
      unchanged: plan.unchanged + marks.unchanged,
    }
  })
  return { report, fullAt: null }
}

async function* rowsOf<T>(list: readonly T[]) {
  yield* list
}

export async function readDueSources(reader: Reader) {
  for (const source of await listDueSources(reader.db)) await readSource(reader, source)
}
