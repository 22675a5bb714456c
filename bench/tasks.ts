import { rmSync } from 'node:fs'
import { tasks } from '@atrium/contract/work/tasks'
import { putTasks } from '../apps/server/src/domains/work/task-integration/put-tasks.ts'
import { type Database, openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import type { Script } from './baseline-server.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { measure, overHttp, type Result, requestText } from './measure.ts'
import { startAtrium, startProgram } from './processes.ts'
import {
  count,
  fixed,
  machine,
  median,
  percent,
  report,
  type Table,
  type Target,
} from './report.ts'

const smallCount = 100_000
/** Tasks per asking member, a fifth of them open, which is a full page; tasks of others are interleaved. */
const perMember = 100
const callerCount = 100
const box = 20_000
const perPut = 1000
const puts = 10
const perBatch = 200
const batch = 250_000
const approve = JSON.stringify([
  {
    code: 'approve',
    text: '同意',
    textEn: 'Approve',
    tone: 'primary',
    comment: 'optional',
    fields: [],
  },
])

/** Lists and counts of to-dos while the table grows; tasks pushed by a system; several handled at once. */
export async function benchTasks(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const tables: Table[] = []
  const targets: Target[] = []
  const raw: Record<string, unknown> = {}
  const database = await openBenchDatabase('tasks', settings, variables)
  try {
    console.log(`creating ${count(smallCount)} and ${count(settings.tasks)} tasks`)
    const pool = openPool(database.url, 1)
    const accounts = await addMembers(pool, smallCount / perMember)
    await addTasks(pool, accounts, smallCount)
    await pool.end()
    const large = await database.copy('large')
    const largePool = openPool(large, 1)
    const others = await addMembers(
      largePool,
      Math.max(1, (settings.tasks - smallCount) / perMember),
    )
    await addTasks(largePool, others, settings.tasks - smallCount)
    await settle(largePool)
    const small = openPool(database.url, 1)
    await settle(small)
    await small.end()
    const context: Context = {
      small: { ...variables, DATABASE_URL: database.url },
      large: { ...variables, DATABASE_URL: large },
      accounts: accounts.slice(0, callerCount),
      largePool,
      settings,
      tables,
      targets,
      raw,
    }
    await benchReads(context)
    await benchWrites(context)
    await largePool.end()
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  report(
    database.reportName,
    { machine: machine(database.version), tables, targets },
    settings,
    raw,
  )
}

type Context = {
  small: Record<string, string>
  large: Record<string, string>
  accounts: string[]
  largePool: Pool
  settings: Settings
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

/** Tasks are assigned to members in turn, a fifth of them open, so one member's rows are scattered over the table. */
async function addTasks(pool: Pool, accounts: readonly string[], total: number) {
  await pool.query(
    'set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0',
  )
  for (let from = 0; from < total; from += batch)
    await pool.query(
      `with added as (
         insert into task (title, source, note, status, form, created_at, due_at)
         select '请假申请 ' || i, '学生处', '两天', case when i / cardinality($3::bigint[]) % 5 = 0 then 'progress' else 'finish' end,
                '[{"label":"天数","value":"2"}]', now() - interval '1 year' * random(), now() + interval '60 days' * random()
         from generate_series($1::integer, $2::integer - 1) as i
         returning id, created_at, due_at, status
       ), numbered as (
         select added.*, $1 + row_number() over (order by id) - 1 as i from added
       )
       insert into task_step (task_id, account_id, person_name, kind, name, actions, created_at, due_at, done_at)
       select id, ($3::bigint[])[1 + i % cardinality($3::bigint[])], '某人', 'handle', '审批', $4::jsonb, created_at, due_at,
              case when status = 'finish' then created_at + interval '1 day' end
       from numbered`,
      [from, Math.min(from + batch, total), accounts, approve],
    )
  // The counts that the skipped triggers would have made.
  await pool.query(
    `insert into task_count as c (account_id, kind, n)
     select account_id, task_step_counts_as(kind, done_at), count(*) from task_step
     where account_id = any($1::bigint[]) group by 1, 2
     on conflict (account_id, kind) do update set n = excluded.n`,
    [accounts],
  )
  await pool.query('set session_replication_role = default')
}

async function settle(pool: Pool) {
  await pool.query(
    'vacuum (analyze) task, task_step, task_count, task_outcome, task_in_group, account, person',
  )
  await pool.query('checkpoint')
}

async function benchReads({
  small,
  large,
  accounts,
  largePool,
  settings,
  tables,
  targets,
  raw,
}: Context) {
  const inProcess = await openInProcess(small)
  const tokens: string[] = []
  for (const account of accounts) tokens.push(await inProcess.tokenOf(account))
  await inProcess.close()
  // The sessions are in the small database; the large one needs its own.
  const inProcessLarge = await openInProcess(large)
  const largeTokens: string[] = []
  for (const account of accounts) largeTokens.push(await inProcessLarge.tokenOf(account))
  const loader = startProgram('loader')
  const queries = startProgram('baseline-server')
  const smallServer = await startAtrium(small)
  const largeServer = await startAtrium(large)
  const endpoints = [
    ['first list', `${tasks.list.path}?level=myTodo&pageSize=20`],
    ['counts', tasks.counts.path],
    ['done', `${tasks.list.path}?level=myDone&pageSize=20`],
  ] as const
  const rows: [string, Result, Result, Result | undefined][] = []
  const requestsOf = (url: string, callers: readonly string[]) =>
    callers.map((token) => requestText(url, { 'x-id-token': token }))
  try {
    for (const [name, url] of endpoints) {
      console.log(`measuring ${name}`)
      const statements = await inProcessLarge.statementsOf(url, {
        'x-id-token': largeTokens[0] ?? '',
      })
      const { port } = await queries.request<{ port: number }>({
        database: large.DATABASE_URL ?? '',
        connections: 10,
        statements,
      } satisfies Script)
      const [before, after, baseline] = (await measure(
        [
          overHttp('few', smallServer, loader, requestsOf(url, tokens)),
          overHttp('many', largeServer, loader, requestsOf(url, largeTokens)),
          overHttp('baseline', { pid: queries.pid, port }, loader, requestsOf(url, largeTokens)),
        ],
        settings,
      )) as [Result, Result, Result]
      rows.push([name, before, after, baseline])
    }
    await addTasks(largePool, accounts.slice(0, 1), box)
    await settle(largePool)
    for (const [name, url] of endpoints) {
      console.log(`measuring ${name} of a member who has ${count(box)}`)
      const [before, after] = (await measure(
        [
          overHttp('few', smallServer, loader, requestsOf(url, tokens.slice(0, 1))),
          overHttp('many', largeServer, loader, requestsOf(url, largeTokens.slice(0, 1))),
        ],
        settings,
      )) as [Result, Result]
      rows.push([`${name}, own list of ${count(box)}`, before, after, undefined])
    }
  } finally {
    for (const one of [loader, queries, smallServer, largeServer, { stop: inProcessLarge.close }])
      await one.stop()
  }
  raw.reads = rows
  tables.push({
    title: `To-dos of one member while the table grows from ${count(smallCount)} to ${count(settings.tasks)} tasks`,
    head: ['', 'few: requests/s', 'many: requests/s', 'slower by', 'of baseline, same queries'],
    rows: rows.map(([name, before, after, baseline]) => [
      name,
      count(before.perSecond),
      count(after.perSecond),
      percent(slowdown(before, after)),
      baseline ? percent(after.perSecond / baseline.perSecond) : '',
    ]),
    note: `${callerCount} members with ${perMember} tasks each, a fifth of them open, send requests in turn; the last rows are of a member who has ${count(box)} more in the larger table.`,
  })
  for (const [name, before, after, baseline] of rows) {
    const slower = slowdown(before, after)
    targets.push({
      what: name,
      wanted: '≤ 15 % slower',
      measured: percent(slower),
      ok: slower <= 0.15,
    })
    if (!baseline) continue
    const share = after.perSecond / baseline.perSecond
    targets.push({
      what: `${name}, share of the baseline with the same queries`,
      wanted: '≥ 70 %',
      measured: percent(share),
      ok: share >= 0.7,
    })
  }
}

/** How much longer an answer takes. */
const slowdown = (before: Result, after: Result) => before.perSecond / after.perSecond - 1

async function benchWrites({
  large,
  accounts,
  largePool,
  settings,
  tables,
  targets,
  raw,
}: Context) {
  const inProcess = await openInProcess(large)
  const { rows } = await largePool.query<{ id: string }>(
    `with party as (insert into relying_party (code, name) values ('bench-tasks', 'bench') returning id)
     insert into task_source (code, name, relying_party_id) select 'bench', '测量', id from party returning id`,
  )
  const source = { id: rows[0]?.id ?? '', name: '测量', nameEn: 'Bench' }
  const usernames = (
    await largePool.query<{ username: string }>(
      'select username from account where id = any($1::bigint[])',
      [accounts],
    )
  ).rows.map(({ username }) => username)
  const perSecond: number[] = []
  for (let round = 0; round < settings.rounds; round++)
    perSecond.push(await putMany(inProcess.db, source, usernames, round))
  const server = await startAtrium(large)
  const batches: number[] = []
  try {
    for (let round = 0; round < settings.rounds; round++) {
      const account = accounts[round + 1] ?? ''
      await addTasks(largePool, [account], perBatch * 5)
      const open = await largePool.query<{ task_id: string }>(
        `select task_id from task_step where account_id = $1 and kind = 'handle' and done_at is null order by id desc limit $2`,
        [account, perBatch],
      )
      const token = await inProcess.tokenOf(account)
      const started = performance.now()
      const answer = await fetch(`http://127.0.0.1:${server.port}${tasks.batchHandle.path}`, {
        method: 'POST',
        headers: { 'x-id-token': token, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: open.rows.map(({ task_id }) => task_id), action: 'approve' }),
      })
      const { data } = (await answer.json()) as { data: { error: string }[] }
      batches.push((performance.now() - started) / 1000)
      if (data.length !== perBatch || data.some(({ error }) => error !== ''))
        throw new Error(`${data.length} of ${perBatch} outcomes`)
    }
  } finally {
    await server.stop()
    await inProcess.close()
  }
  const [rate, seconds] = [median(perSecond), median(batches)]
  raw.writes = { perSecond, batches }
  tables.push({
    title: 'Tasks sent by a system and handled',
    head: ['', 'median'],
    rows: [
      [`tasks sent, ${count(perPut)} per call, tasks/s`, count(rate)],
      [`${perBatch} handled in one request, s`, fixed(seconds, 2)],
    ],
    note: `${settings.rounds} rounds of ${puts} sequential calls of the integration's function; the batch over HTTP.`,
  })
  targets.push(
    { what: 'tasks sent', wanted: '≥ 5,000/s', measured: `${count(rate)}/s`, ok: rate >= 5000 },
    {
      what: `${perBatch} handled in one request`,
      wanted: '≤ 2 s',
      measured: `${fixed(seconds, 2)} s`,
      ok: seconds <= 2,
    },
  )
}

async function putMany(
  db: Database,
  source: { id: string; name: string; nameEn: string },
  usernames: readonly string[],
  round: number,
) {
  const actions = JSON.parse(approve)
  const calls = Array.from({ length: puts }, (_, call) =>
    Array.from({ length: perPut }, (_, at) => ({
      key: `${round}-${call}-${at}`,
      version: 1,
      title: `请假申请 ${at}`,
      note: '两天',
      titleEn: '',
      noteEn: '',
      applicant: { username: 'student' },
      status: 'progress' as const,
      urgent: false,
      url: '',
      form: [{ label: '天数', value: '2' }],
      steps: [
        {
          key: 'approval',
          username: usernames[at % usernames.length] ?? '',
          name: '审批',
          nameEn: '',
          kind: 'handle' as const,
          actions,
          action: '',
          actionEn: '',
          comment: '',
        },
      ],
    })),
  )
  const started = performance.now()
  for (const list of calls) await db.transaction().execute((db) => putTasks(db, source, list))
  return (puts * perPut) / ((performance.now() - started) / 1000)
}
