import { createECDH, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { messages } from '@atrium/contract/work/messages'
import { startBroadcasts } from '../apps/server/src/domains/work/messages/broadcast.ts'
import {
  defineBuiltInApp,
  ensureBuiltInApp,
} from '../apps/server/src/domains/work/messages/built-in-apps.ts'
import { sendMessage } from '../apps/server/src/domains/work/messages/send.ts'
import { saveSubscription } from '../apps/server/src/domains/work/notifications/push.ts'
import { type Database, openPool, type Pool } from '../apps/server/src/platform/database/db.ts'
import { startOutbox } from '../apps/server/src/platform/delivery/outbox-worker.ts'
import type { Member } from '../apps/server/src/platform/http/guard.ts'
import type { Platform } from '../apps/server/src/platform/platform.ts'
import { openBenchDatabase } from './database.ts'
import { addMembers, settle } from './fill.ts'
import { openBenchFolder } from './folder.ts'
import { openInProcess } from './in-process-server.ts'
import type { Settings } from './main.ts'
import { measure, overHttp, requestText } from './measure.ts'
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
import { openStreams, streamScript, streams, streamsBefore, streamsPerMember } from './streams.ts'

const members = 100_000
const notifications = 10_000
const devices = 500

const benchApp = defineBuiltInApp({
  code: 'bench',
  name: '测量',
  nameEn: 'Bench',
  icon: { glyph: 'message', tone: 'blue' },
  position: 1,
  kinds: { general: { name: '通知', nameEn: 'General', channels: [] } },
})
const parts = ['broadcast', 'streams', 'push']
const everybody = [{ effect: 'include' as const, kind: 'everybody' as const }]

/** A broadcast to a hundred thousand members, five thousand open streams, ten thousand push notifications. */
export async function benchMessages(settings: Settings) {
  const { dataDir, variables } = openBenchFolder({ ATRIUM_JOBS: 'off' })
  const tables: Table[] = []
  const targets: Target[] = []
  const raw: Record<string, unknown> = {}
  const database = await openBenchDatabase('messages', settings, variables)
  const { url } = database
  const pool = openPool(url, 4)
  try {
    console.log(`creating ${count(members)} members`)
    await pool.query('set statement_timeout = 0')
    const accounts = await addMembers(pool, members)
    await settle(url)
    const inProcess = await openInProcess({ ...variables, DATABASE_URL: url })
    await ensureBuiltInApp(inProcess.db, benchApp.spec)
    const tokens: string[] = []
    for (const account of accounts.slice(0, (streamsBefore + streams) / streamsPerMember))
      tokens.push(await inProcess.tokenOf(account))
    const context: Context = {
      url,
      pool,
      db: inProcess.db,
      platform: inProcess.platform,
      variables,
      tokens,
      settings,
      tables,
      targets,
      raw,
    }
    const { only } = settings
    const shouldRun = (part: string) =>
      only.includes(part) || !parts.some((one) => only.includes(one))
    if (shouldRun('broadcast')) await benchBroadcast(context)
    if (shouldRun('streams')) await benchStreams(context, accounts.slice(0, tokens.length))
    await inProcess.close()
    if (shouldRun('push')) await benchPush(context, accounts)
  } finally {
    await pool.end()
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
  url: string
  pool: Pool
  db: Database
  platform: Platform
  variables: Record<string, string>
  tokens: string[]
  settings: Settings
  tables: Table[]
  targets: Target[]
  raw: Record<string, unknown>
}

const timeSeconds = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Sends to everybody and waits until the server's own worker, with its pauses, has delivered it. */
async function broadcast(db: Database, title: string) {
  const { id } = await db.transaction().execute((db) =>
    sendMessage(db, {
      kind: benchApp.kinds.general,
      to: { rules: everybody },
      title: { zh: title },
    }),
  )
  const waiting = db
    .selectFrom('message')
    .where('id', '=', id)
    .where('spread_after', 'is not', null)
  while (await waiting.select('id').executeTakeFirst()) await wait(10)
}

/**
 * The same rows inserted by PostgreSQL alone, into tables with the same indexes and foreign keys but without triggers.
 */
async function preparePlain(pool: Pool) {
  await pool.query(`
    create table plain_delivery (like message_delivery including all);
    alter table plain_delivery add foreign key (account_id) references account, add foreign key (message_id) references message,
      add foreign key (app_id) references message_app;
    create table plain_box (like message_box including all);
    alter table plain_box add foreign key (account_id) references account, add foreign key (app_id) references message_app,
      add foreign key (last_message_id) references message`)
}
async function insertPlain(pool: Pool) {
  const client = await pool.connect()
  // One statement: on a busy machine it exceeds the server's own statement timeout.
  await client.query('set statement_timeout = 0')
  await client.query(`
    with last as (select id, app_id, sent_at from message order by id desc limit 1),
    delivered as (
      insert into plain_delivery (account_id, message_id, app_id, sent_at)
      select account.id, last.id, last.app_id, last.sent_at from account, last where account.status <> 'disabled'
      returning account_id, message_id, app_id, sent_at
    )
    insert into plain_box as box (account_id, app_id, unread, last_message_id, last_sent_at)
    select account_id, app_id, 1, message_id, sent_at from delivered
    on conflict (account_id, app_id) do update set unread = box.unread + 1,
      last_message_id = excluded.last_message_id, last_sent_at = excluded.last_sent_at`)
  client.release()
}

async function benchBroadcast({
  url,
  pool,
  db,
  platform,
  variables,
  tokens,
  settings,
  tables,
  targets,
  raw,
}: Context) {
  await preparePlain(pool)
  const worker = startBroadcasts(platform)
  const times: { ours: number[]; plain: number[] } = { ours: [], plain: [] }
  for (let round = 0; round <= settings.rounds; round++) {
    console.log(`broadcast, round ${round}`)
    const ours = await timeSeconds(() => broadcast(db, `第 ${round} 轮`))
    const plain = await timeSeconds(() => insertPlain(pool))
    // The first round creates the boxes, in both.
    if (round === 0) continue
    times.ours.push(ours)
    times.plain.push(plain)
  }
  await pool.query('drop table plain_delivery, plain_box')
  await settle(url)
  const [ours, plain] = [median(times.ours), median(times.plain)]
  const share = plain / ours

  const server = await startAtrium({ ...variables, DATABASE_URL: url })
  const loader = startProgram('loader')
  const list = requestText(`${messages.list.path}?pageSize=20`, {
    'x-id-token': tokens[0] as string,
  })
  const read = () =>
    measure([overHttp('list', server, loader, [list])], { rounds: 3, seconds: settings.seconds })
  const [alone] = await read()
  let sending = true
  const broadcasting = (async () => {
    while (sending) await broadcast(db, '同时')
  })()
  const [during] = await read()
  sending = false
  await broadcasting
  await worker.stop()
  await loader.stop()
  await server.stop()
  const slowdown = 1 - (during?.perSecond ?? 0) / (alone?.perSecond ?? 1)
  raw.broadcast = { times, alone, during }
  tables.push({
    title: `A broadcast to ${count(members)} members`,
    head: ['', 'seconds', 'inboxes/s'],
    rows: [
      ['Atrium', fixed(ours, 2), count(members / ours)],
      ['insert … select of the same rows', fixed(plain, 2), count(members / plain)],
    ],
    note: `Deliveries and inbox counts; medians of ${times.ours.length} rounds in turn. Another member’s list was read ${count(alone?.perSecond ?? 0)} times a second without broadcasts and ${count(during?.perSecond ?? 0)} during continuous broadcasts.`,
  })
  targets.push(
    {
      what: 'broadcast against insert … select',
      wanted: '≥ 70 %',
      measured: percent(share),
      ok: share >= 0.7,
    },
    {
      what: 'slowdown of other reads during a broadcast',
      wanted: '≤ 20 %',
      measured: percent(slowdown),
      ok: slowdown <= 0.2,
    },
  )
}

async function benchStreams(
  { url, db, variables, tokens, tables, targets, raw }: Context,
  accounts: string[],
) {
  console.log(`opening ${count(streamsBefore + streams)} streams, on the baseline and on Atrium`)
  const server = await startAtrium({ ...variables, DATABASE_URL: url })
  const baseline = startProgram('baseline-server')
  const { port } = await baseline.request<{ port: number }>(
    await streamScript(server, tokens[0] as string),
  )
  const baselineStreams = await openStreams({ pid: baseline.pid, port }, tokens)
  baselineStreams.close()
  await baseline.stop()
  const open = await openStreams(server, tokens)
  const { kilobytesEach } = open
  const opened = streamsBefore + streams
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = open.received()
    const sent = performance.now()
    await db.transaction().execute((db) =>
      sendMessage(db, {
        kind: benchApp.kinds.general,
        to: { accounts },
        title: { zh: `给所有人 ${round}` },
      }),
    )
    const missing = () => opened - (open.received() - before)
    while (missing() > 0 && performance.now() - sent < 60_000) await wait(5)
    waits.push((performance.now() - sent) / 1000)
    if (missing() > 0) throw new Error(`${missing()} streams did not receive the message`)
  }
  open.close()
  await server.stop()
  const slowest = Math.max(...waits)
  raw.streams = { opened, kilobytesEach, kilobytesEachBare: baselineStreams.kilobytesEach, waits }
  tables.push({
    title: `${count(opened)} open streams on one node`,
    head: ['', ''],
    rows: [
      ['memory of the node per stream', `${fixed(kilobytesEach, 1)} KB`],
      [
        'memory of the baseline (`node:http`) per stream',
        `${fixed(baselineStreams.kilobytesEach, 1)} KB`,
      ],
      ['from sending a message to all until the last one has it', `${fixed(slowest, 2)} s`],
    ],
    note: `Streams of ${count(tokens.length)} members with ${streamsPerMember} devices each, read by this process; the slowest of three messages. Memory (PSS, including garbage) is what the last ${count(streams)} streams added: the first ${count(streamsBefore)} use up what was free in the heap. The baseline sends the same bytes and keeps the response open.`,
  })
  targets.push(
    {
      what: 'memory of an open stream',
      wanted: '≤ 20 KB',
      measured: `${fixed(kilobytesEach, 1)} KB`,
      ok: kilobytesEach <= 20,
    },
    {
      what: 'a message on all open streams',
      wanted: '≤ 2 s',
      measured: `${fixed(slowest, 2)} s`,
      ok: slowest <= 2,
    },
  )
}

async function benchPush(
  { url, pool, variables, tables, targets, raw }: Context,
  accounts: string[],
) {
  let delivered = 0
  const service = http.createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const inProcess = await openInProcess({
    ...variables,
    DATABASE_URL: url,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}`,
  })
  console.log(`sending ${count(notifications)} push notifications`)
  for (const account of accounts.slice(0, devices)) {
    const keys = createECDH('prime256v1')
    keys.generateKeys()
    const { sessionId } = (await inProcess.platform.guard.viewerOf(
      await inProcess.tokenOf(account),
    )) as Member
    await saveSubscription(
      inProcess.db,
      { accountId: account, sessionId },
      {
        endpoint: `http://127.0.0.1:${port}/${account}`,
        keys: {
          p256dh: keys.getPublicKey('base64url'),
          auth: randomBytes(16).toString('base64url'),
        },
      },
    )
  }
  await pool.query(
    `insert into outbox (kind, recipient, subject, body, template)
     select 'push', s.id, 'bench', '{"title":["一条通知","A notification"],"body":["正文","Text"],"ids":["1"],"url":"/"}', ''
     from push_subscription s, generate_series(1, $1::integer / $2::integer)`,
    [notifications, devices],
  )
  const elapsed = await timeSeconds(async () => {
    const { stop } = startOutbox(inProcess.platform)
    while (delivered < notifications) await wait(10)
    await stop()
  })
  await inProcess.close()
  service.close()
  const rate = notifications / elapsed
  raw.push = { notifications, seconds: elapsed }
  tables.push({
    title: 'Push notifications',
    head: ['', ''],
    rows: [
      [
        `${count(notifications)} to ${count(devices)} devices of one push service`,
        `${fixed(elapsed, 1)} s`,
      ],
    ],
    note: 'Encrypted for each device, signed, posted over HTTP to a service in this process, and marked as sent.',
  })
  targets.push({
    what: 'push notifications a second',
    wanted: '≥ 500',
    measured: count(rate),
    ok: rate >= 500,
  })
}
