import type { DirectoryRun } from '@atrium/contract/identity/directory'
import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/db.ts'
import { beforeCommit } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { fail } from '#platform/http/errors.ts'
import { runImport } from '#platform/ingest/import.ts'
import type { Platform } from '#platform/platform.ts'
import { openDirectory } from './check-password.ts'
import { importDirectory, StoppedImport } from './import.ts'
import { openReport, type ReportRow, type RunCounts } from './import-report.ts'
import { DirectoryError, errorLine, importTimeouts, withDirectory } from './ldap.ts'
import { type DirectoryRow, findDirectory } from './queries.ts'

/** Dependencies of a run; the command line has no full platform. */
export type RunContext = Pick<Platform, 'url' | 'secret'> & {
  db: Database
  env: Pick<Platform['env'], 'ATRIUM_OUTBOUND_ALLOW'>
}

type RunRequest = { dry: boolean; startedBy: string; mayDisable?: number | null }

/** Hours after which an unfinished run counts as aborted. */
const maxHours = 6

/** @returns the run's id; undefined while another one is running */
export async function beginRun(
  db: Db,
  directoryId: string,
  { dry, startedBy, mayDisable = null }: RunRequest,
): Promise<string | undefined> {
  await db
    .updateTable('directory_run')
    .set({ status: 'failed', error: 'It was interrupted.', finished_at: sql`now()` })
    .where('directory_id', '=', directoryId)
    .where('status', '=', 'running')
    .where('started_at', '<', sql<string>`now() - make_interval(hours => ${maxHours})`)
    .execute()
  const { rows } = await sql<{ id: string }>`
    insert into directory_run (directory_id, dry, started_by, may_disable)
    select ${directoryId}::bigint, ${dry}::boolean, ${startedBy}, ${mayDisable}::integer
    where pg_try_advisory_xact_lock(7301, 24)
      and not exists (select from directory_run where directory_id = ${directoryId}::bigint and status = 'running')
    returning id`.execute(db)
  return rows[0]?.id
}

/** Performs a run and stores its report, including errors. */
export async function performRun(context: RunContext, runId: string): Promise<DirectoryRun> {
  const { db } = context
  const run = await db
    .selectFrom('directory_run')
    .select(['directory_id as directoryId', 'dry', 'may_disable as mayDisable'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  const row = (await findDirectory(db, { id: run.directoryId })) as DirectoryRow
  const report = openReport()
  let counts: RunCounts | undefined
  let outcome: { status: 'done' | 'stopped' | 'failed'; error: string; notes: string[] }
  try {
    const directory = openDirectory(context, row)
    const { notes } = await withDirectory(
      directory,
      context.env.ATRIUM_OUTBOUND_ALLOW,
      importTimeouts,
      (connection) =>
        runImport(context.url, { dryRun: run.dry, onIssue: report.issue }, async (work) => {
          counts = await importDirectory(work, connection, { ...run, directory }, report)
          return counts.members
        }),
    )
    outcome = { status: 'done', error: '', notes }
  } catch (error) {
    if (error instanceof StoppedImport)
      counts = (error as StoppedImport & { counts: RunCounts }).counts
    else if (!(error instanceof StartError || error instanceof DirectoryError)) counts = undefined
    outcome = {
      status: error instanceof StoppedImport ? 'stopped' : 'failed',
      error: errorLine(error as Error),
      notes: [],
    }
  }
  await storeOutcome(db, runId, outcome, counts, report.rows)
  return (await findRun(db, runId)) ?? fail('directory.run_not_found')
}

/** Starts a run without waiting for it, outside the caller's audit context. */
export const performInBackground = (platform: Platform, runId: string) =>
  beforeCommit.exit(() => {
    performRun(platform, runId).catch((error) =>
      platform.log.error({ err: error, run: runId }, 'the report of an import could not be stored'),
    )
  })

async function storeOutcome(
  db: Database,
  runId: string,
  { status, error, notes }: { status: string; error: string; notes: string[] },
  counts: RunCounts | undefined,
  rows: readonly ReportRow[],
) {
  await db.transaction().execute(async (db) => {
    const column = <K extends keyof ReportRow>(name: K) => rows.map((row) => row[name])
    await sql`
      insert into directory_run_row (run_id, position, kind, what, name, detail)
      select ${runId}::bigint, position, kind, what, left(name, 500), left(detail, 1000)
      from unnest(${column('kind')}::text[], ${column('what')}::text[], ${column('name')}::text[], ${column('detail')}::text[])
           with ordinality as rows (kind, what, name, detail, position)`.execute(db)
    await db
      .updateTable('directory_run')
      .set({ status, error, notes, counts: JSON.stringify(counts ?? {}), finished_at: sql`now()` })
      .where('id', '=', runId)
      .execute()
  })
}

/** Scheduled job: imports a directory that has a schedule. */
export async function importOnSchedule(platform: Platform, code: string) {
  const directory = await findDirectory(platform.db, { code })
  if (!directory?.settings.schedule) return
  const runId = await beginRun(platform.db, directory.id, { dry: false, startedBy: 'schedule' })
  if (!runId) return
  const run = await performRun(platform, runId)
  const { status, error } = run
  if (status === 'done') platform.log.info({ directory: code, run: runId }, 'directory imported')
  else
    platform.log.error(
      { directory: code, run: runId },
      `the import of a directory ${status}: ${error}`,
    )
}

export const deleteOldRuns = (db: Db) =>
  db
    .deleteFrom('directory_run')
    .where('started_at', '<', sql<string>`now() - interval '90 days'`)
    .execute()

// ---- reading ----

const noCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 }

const selectRuns = (db: Db) =>
  db
    .selectFrom('directory_run')
    .select([
      'id',
      'directory_id as directoryId',
      'dry',
      'started_by as startedBy',
      sql<DirectoryRun['status']>`status`.as('status'),
      'started_at as startedAt',
      'finished_at as finishedAt',
      'notes',
      'error',
      sql<Partial<RunCounts>>`counts`.as('counts'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

const toRun = ({ counts, directoryId: _, ...row }: Row): DirectoryRun => ({
  ...row,
  organizations: counts.organizations ?? noCounts,
  groups: counts.groups ?? noCounts,
  members: counts.members ?? noCounts,
  disabled: counts.disabled ?? 0,
  known: counts.known ?? 0,
})

export async function findRun(db: Db, id: string) {
  const row = await selectRuns(db).where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

export async function listRuns(
  db: Db,
  directoryId: string,
  before: string | undefined,
  limit: number,
) {
  const rows = await selectRuns(db)
    .where('directory_id', '=', directoryId)
    .$if(before !== undefined, (query) => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

export const listRunRows = (
  db: Db,
  runId: string,
  {
    what,
    after,
    limit,
  }: { what?: ReportRow['what'] | undefined; after: string | undefined; limit: number },
) =>
  db
    .selectFrom('directory_run_row')
    .select([
      'position',
      sql<ReportRow['kind']>`kind`.as('kind'),
      sql<ReportRow['what']>`what`.as('what'),
      'name',
      'detail',
    ])
    .where('run_id', '=', runId)
    .$if(what !== undefined, (query) => query.where('what', '=', what as string))
    .$if(after !== undefined, (query) => query.where('position', '>', Number(after)))
    .orderBy('position')
    .limit(limit)
    .execute()

/** Marks a stopped run as confirmed, once. @returns its directory, and how many accounts it would disable */
export async function confirmStoppedRun(db: Db, runId: string) {
  const row = await db
    .updateTable('directory_run')
    .set({ status: 'confirmed' })
    .where('id', '=', runId)
    .where('status', '=', 'stopped')
    .returning(['directory_id as directoryId', sql<Partial<RunCounts>>`counts`.as('counts')])
    .executeTakeFirst()
  return row && { directoryId: row.directoryId, mayDisable: row.counts.disabled ?? 0 }
}

export const findRunDirectory = (db: Db, runId: string) =>
  db
    .selectFrom('directory_run')
    .select('directory_id as directoryId')
    .where('id', '=', runId)
    .executeTakeFirst()
