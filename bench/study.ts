import { rmSync } from 'node:fs'
import { study } from '@atrium/contract/learning/study'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import type { Script } from './baseline-server.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { measure, overHttp, type Result, requestText } from './measure.ts'
import { startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report } from './report.ts'

const students = 200
const callerCount = 50
const materials = 40
const assignments = 12
const wantedShare = 0.7

/** A full course page, compared with a bare server that sends the same queries. */
export async function benchStudy(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const database = await openBenchDatabase('study', settings, variables)
  const environment = { ...variables, DATABASE_URL: database.url }
  try {
    const pool = openPool(database.url, 1)
    const accounts = await addMembers(pool, students)
    const courseId = await fillCourse(pool, accounts)
    await pool.end()
    const inProcess = await openInProcess(environment)
    const tokens: string[] = []
    for (const account of accounts.slice(0, callerCount))
      tokens.push(await inProcess.tokenOf(account))
    const url = study.read.path.replace('{id}', courseId)
    const statements = await inProcess.statementsOf(url, { 'x-id-token': tokens[0] ?? '' })
    await inProcess.close()
    const server = await startAtrium(environment)
    const loader = startProgram('loader')
    const baseline = startProgram('baseline-server')
    try {
      const { port } = await baseline.request<{ port: number }>({
        database: database.url,
        connections: 10,
        statements,
      } satisfies Script)
      const requests = tokens.map((token) => requestText(url, { 'x-id-token': token }))
      const [course, baselineResult] = (await measure(
        [
          overHttp('the page of a course', server, loader, requests),
          overHttp('baseline, same queries', { pid: baseline.pid, port }, loader, requests),
        ],
        settings,
      )) as [Result, Result]
      const share = course.perSecond / baselineResult.perSecond
      report(
        database.reportName,
        {
          machine: machine(database.version),
          tables: [
            {
              title: `A course of ${students} students, ${materials} materials, ${assignments} assignments`,
              head: ['', 'requests/s', 'Node µs', 'PostgreSQL µs', 'median ms', 'p99 ms'],
              rows: [course, baselineResult].map((result) => [
                result.name,
                count(result.perSecond),
                fixed(result.nodeMicros),
                fixed(result.postgresMicros),
                fixed(result.latency.median, 1),
                fixed(result.latency.p99, 1),
              ]),
              note: `${statements.length} statements per page.`,
            },
          ],
          targets: [
            {
              what: 'the page of a course, share of the baseline with the same queries',
              wanted: `≥ ${percent(wantedShare)}`,
              measured: percent(share),
              ok: share >= wantedShare,
            },
          ],
        },
        settings,
        { rounds: [course, baselineResult], statements: statements.map(({ text }) => text) },
      )
    } finally {
      await loader.stop()
      await baseline.stop()
      await server.stop()
    }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Fills the demo's first course with a year of content and adds these members. @returns its id */
async function fillCourse(pool: Pool, accounts: readonly string[]) {
  const { rows } = await pool.query<{ id: string; calendar: string }>(
    'select id, calendar_id as calendar from course order by id limit 1',
  )
  const [course] = rows
  if (!course) throw new Error('the demo institution has no course')
  await pool.query(
    `insert into calendar_member (calendar_id, account_id, role)
     select $1, account, 'attends' from unnest($2::bigint[]) as account on conflict do nothing`,
    [course.calendar, accounts],
  )
  await pool.query(
    `insert into study_material (course_id, kind, title, url, position)
     select $1, 'link', 'Reading ' || n, 'https://example.edu/' || n, 100 + n from generate_series(1, $2::integer) as n`,
    [course.id, materials],
  )
  await pool.query(
    `with made as (
       insert into study_assignment (course_id, kind, title, due_at, points)
       select $1, 'work', 'Exercise ' || n, now() + n * interval '1 day', 100 from generate_series(1, $2::integer) as n
       returning id
     )
     insert into study_result (assignment_id, account_id, handed_at)
     select made.id, account, now() from made, unnest($3::bigint[]) as account where (made.id + account) % 2 = 0`,
    [course.id, assignments, accounts],
  )
  await pool.query('vacuum (analyze)')
  return course.id
}
