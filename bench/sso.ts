import { rmSync } from 'node:fs'
import { centralLogin, ticketValidation } from '@atrium/contract/sso/central-login'
import {
  sealTicket,
  ticketDigest,
} from '../apps/server/src/domains/sso/central-login/service-tickets.ts'
import { openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { openSecret, type Secret } from '../apps/server/src/platform/secret.ts'
import type { Script } from './baseline-server.ts'
import { addMembers, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import type { Job, Load } from './loader.ts'
import type { Settings } from './main.ts'
import {
  type Contender,
  connections,
  measure,
  overHttp,
  type Result,
  requestText,
} from './measure.ts'
import { type Server, startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Table, type Target } from './report.ts'
import { member } from './request.ts'

const service = 'https://bench.example.edu/app'
const attributes = ['name', 'organization'] as const
/** Tickets per second of validation: more than one core can process. */
const ticketsPerSecond = 16_000
/** Members who pass through the central login, and how many concurrently. */
const members = 2000
const concurrency = 32

/**
 * A lecture hall signing in; then issuing and validating its tickets, each compared with a bare server of the same
 * bytes.
 */
export async function benchSso(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const tables: Table[] = []
  const targets: Target[] = []
  const raw: Record<string, unknown> = {}
  try {
    console.log('creating a database and filling it with the demo institution')
    await (await startAtrium(variables)).stop()
    const embedded = await startEmbeddedPostgres(dataDir)
    const url = embedded.url('atrium')
    const pool = openPool(url, 1)
    try {
      await pool.query(
        `insert into relying_party (code, name, addresses, attributes, logout_url)
         values ('bench', 'bench', array[$1], $2, 'https://bench.example.edu/logout')`,
        [service, attributes],
      )
      const usernames = await addHall(pool)
      await settle(url)
      const server = await startAtrium({ ...variables, DATABASE_URL: url })
      try {
        const hall = await signInHall(server, usernames)
        await settle(url)
        const secret = openSecret(variables.ATRIUM_SECRET)
        const tickets = await measureTickets(server, pool, secret, hall.cookies, settings)
        reportTickets(tickets, tables, targets)
        reportHall(hall, tables, targets)
        Object.assign(raw, { tickets, hall: { ...hall, cookies: undefined } })
      } finally {
        await server.stop()
      }
      report('sso', { machine: machine(), tables, targets }, settings, raw)
    } finally {
      await pool.end()
      await embedded.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Adds members with the password of the demo's student. @returns their usernames */
async function addHall(pool: Pool): Promise<string[]> {
  const accounts = await addMembers(pool, members)
  await pool.query(
    `update person set password_hash = known.password_hash, password_changed_at = now(), agreement_version = known.agreement_version
     from account, (select p.* from person p join account a on a.person_id = p.id where a.username = $2) as known
     where account.person_id = person.id and account.id = any($1)`,
    [accounts, member.username],
  )
  const { rows } = await pool.query<{ username: string }>(
    'select username from account where id = any($1) order by id',
    [accounts],
  )
  return rows.map(({ username }) => username)
}

// ---- tickets ----

type Tickets = { given: Result[]; taken: Result[] }

async function measureTickets(
  server: Server,
  pool: Pool,
  secret: Secret,
  cookies: readonly string[],
  settings: Settings,
): Promise<Tickets> {
  console.log('measuring tickets')
  const loader = startProgram('loader')
  const baseline = startProgram('baseline-server')
  try {
    const issueRequests = cookies.map((cookie) =>
      requestText(`${centralLogin.show.path}?${new URLSearchParams({ service })}`, { cookie }),
    )
    const sessions = await listSessions(pool)
    const given = await measure(
      [
        {
          name: 'tickets issued',
          pid: server.pid,
          run: (seconds) =>
            loader.request<Load>({
              port: server.port,
              requests: issueRequests,
              connections,
              seconds,
              status: 303,
            } satisfies Job),
        },
        await startBaseline('', {}),
      ],
      settings,
    )
    const sampleReply = await validate(server, await requestTicket(server, cookies[0] ?? ''))
    const taken = await measure(
      [
        {
          name: 'tickets validated',
          pid: server.pid,
          async run(seconds) {
            const tickets = createTickets(secret, sessions, ticketsPerSecond * seconds)
            const before = await countValidated(pool)
            const load = await loader.request<Load>({
              port: server.port,
              requests: tickets.map((ticket) => requestText(validation(ticket))),
              connections,
              seconds,
            } satisfies Job)
            // Every answer must have been a success.
            const good = (await countValidated(pool)) - before
            if (good < load.answers)
              throw new Error(`only ${good} of ${load.answers} tickets were good`)
            return load
          },
        },
        await startBaseline(sampleReply, { 'content-type': 'application/xml; charset=utf-8' }),
      ],
      settings,
    )
    return { given, taken }
  } finally {
    await loader.stop()
    await baseline.stop()
  }

  async function startBaseline(body: string, headers: Record<string, string>): Promise<Contender> {
    const script = { headers, body: Buffer.from(body).toString('base64') } satisfies Script
    const { port } = await baseline.request<{ port: number }>(script)
    return overHttp('baseline, from memory', { pid: baseline.pid, port }, loader, [
      requestText('/'),
    ])
  }
}

const validation = (ticket: string) =>
  `${ticketValidation.p3ServiceValidate.path}?${new URLSearchParams({ service, ticket })}`

type CentralSession = { sessionId: string; partyId: string }

/** The central login sessions of these members. */
async function listSessions(pool: Pool): Promise<CentralSession[]> {
  const { rows } = await pool.query<CentralSession>(
    `select s.id as "sessionId", p.id as "partyId" from session s, relying_party p
     where s.kind = 'central' and s.revoked_at is null and p.code = 'bench'`,
  )
  return rows
}

/** Tickets as issued by the central login, for each member in turn. */
function createTickets(secret: Secret, sessions: readonly CentralSession[], total: number) {
  const digest = ticketDigest(service, { attributes })
  const givenAt = Math.floor(Date.now() / 1000)
  return Array.from({ length: total }, (_, index) => {
    const session = sessions[index % sessions.length]
    if (!session) throw new Error('nobody is signed in')
    return sealTicket(secret, { ...session, digest, newLogin: false, givenAt })
  })
}

async function countValidated(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ taken: number }>(
    'select count(*)::integer as taken from relying_party_session where session_id is not null',
  )
  return rows[0]?.taken ?? 0
}

function reportTickets({ given, taken }: Tickets, tables: Table[], targets: Target[]) {
  const shareOf = ([ours, floor]: Result[]) => (ours?.perSecond ?? 0) / (floor?.perSecond ?? 1)
  tables.push({
    title: `Service tickets, ${connections} connections`,
    head: ['', 'per second', 'of baseline', 'Node µs', 'PostgreSQL µs', 'median ms', 'p99 ms'],
    rows: [given, taken].flatMap((results) =>
      results.map((result) => [
        result.name,
        count(result.perSecond),
        percent(result.perSecond / (results[1]?.perSecond ?? 1)),
        count(result.nodeMicros),
        count(result.postgresMicros),
        fixed(result.latency.median, 2),
        fixed(result.latency.p99, 2),
      ]),
    ),
    note: 'For the members in turn. An issued ticket is encrypted for the session of the cookie; a validated one is recorded as used, with the attributes that were released and the use of the session at the service.',
  })
  for (const [what, results] of [
    ['tickets issued, share of the baseline', given],
    ['tickets validated, share of the baseline', taken],
  ] as const)
    targets.push({
      what,
      wanted: '≥ 10 %',
      measured: percent(shareOf(results)),
      ok: shareOf(results) >= 0.1,
    })
}

// ---- a lecture hall ----

type Hall = { seconds: number; errors: string[]; cookies: string[] }

/** Each member opens the login page, signs in and goes to the service, which validates the ticket. */
async function signInHall(server: Server, usernames: readonly string[]): Promise<Hall> {
  console.log(`${count(usernames.length)} members sign in`)
  const errors: string[] = []
  const cookies: string[] = []
  const waiting = [...usernames]
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let username = waiting.pop(); username; username = waiting.pop())
        try {
          const { ticket, cookie } = await signIn(server, username)
          cookies.push(cookie)
          const answer = await validate(server, ticket)
          if (!answer.includes(`<cas:user>${username}</cas:user>`)) throw new Error(answer)
        } catch (error) {
          errors.push(`${username}: ${(error as Error).message}`)
        }
    }),
  )
  return { seconds: (performance.now() - started) / 1000, errors, cookies }
}

/** Signs in through the page, like a browser. @throws the page's error message */
async function signIn(server: Server, username: string) {
  const page = await fetch(
    address(server, `${centralLogin.show.path}?${new URLSearchParams({ service })}`),
  )
  const html = await page.text()
  const lt = /name="lt" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const answer = await fetch(address(server, centralLogin.submit.path), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(page) },
    body: new URLSearchParams({ username, password: member.password, lt, service }),
  })
  const to = answer.headers.get('location') ?? ''
  const ticket = /[?&]ticket=(ST-\w+)/.exec(to)?.[1]
  if (!ticket) throw new Error(`${answer.status} ${to} ${await answer.text()}`)
  return { ticket, cookie: cookiesOf(answer) }
}

async function requestTicket(server: Server, cookie: string) {
  const answer = await fetch(
    address(server, `${centralLogin.show.path}?${new URLSearchParams({ service })}`),
    { redirect: 'manual', headers: { cookie } },
  )
  return /ticket=(ST-\w+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
}

async function validate(server: Server, ticket: string) {
  return (await fetch(address(server, validation(ticket)))).text()
}

const address = ({ port }: Server, url: string) => `http://127.0.0.1:${port}${url}`
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    // Deleted cookies have no value.
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ')

function reportHall({ seconds, errors }: Hall, tables: Table[], targets: Target[]) {
  tables.push({
    title: `${count(members)} members through the central login, ${concurrency} at a time`,
    head: ['seconds', 'members/s', 'errors'],
    rows: [[fixed(seconds, 1), fixed(members / seconds, 1), errors.length]],
    note: 'Each opens the page, signs in with a password, and the service validates the ticket; client, server and database share the cores.',
  })
  targets.push({
    what: `${count(members)} members through the central login`,
    wanted: '≤ 60 s, no error',
    measured: `${fixed(seconds, 1)} s, ${errors.length} errors`,
    ok: seconds <= 60 && errors.length === 0,
  })
  for (const error of errors.slice(0, 3)) console.log(error)
}
