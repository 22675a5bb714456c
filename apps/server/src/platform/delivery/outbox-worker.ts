import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import type { Environment } from '#platform/environment.ts'
import { messagesSent } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { startDueQueue } from './due-queue.ts'
import { mailBySmtp } from './mail.ts'
import {
  type Mail,
  type OutboxChannel,
  type OutboxResult,
  outboxChannels,
  outboxListeners,
  type Sms,
} from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'
import { smsByAliyun } from './sms-aliyun.ts'
import { smsByHttp } from './sms-http.ts'
import { smsByTencent } from './sms-tencent.ts'

type Kind = 'sms' | 'mail' | OutboxChannel['kind']
type Row = {
  id: string
  recipient: string
  subject: string
  body: string
  html: string
  template: string
  values: Record<string, string>
  tries: number
  late: boolean
}

/** Seconds between tries; after the last one the message has failed. */
const pauses = [5, 30, 120, 600, 1800, 7200]
const batch = 20
/** Lease: if a node dies while sending, another one takes the message after this long. */
const leaseSeconds = 180
const retentionDays = 30

/** Providers configured in the environment. */
function providers(env: Environment) {
  const sms = { none: undefined, http: smsByHttp, aliyun: smsByAliyun, tencent: smsByTencent }
  return {
    sms: sms[env.ATRIUM_SMS]?.(env),
    mail: env.ATRIUM_MAIL_URL ? mailBySmtp(env) : undefined,
  }
}

/**
 * Sends the messages in the outbox: immediately after a transaction on any node has added one, and failed ones again
 * after growing pauses. A demo sends no SMS and no mail; operators read them in the console.
 */
export function startOutbox(platform: Platform): { stop: () => Promise<void> } {
  const { db, env, log } = platform
  const { sms, mail } = env.ATRIUM_DEMO ? {} : providers(env)
  const ways: [Kind, ((row: Row) => Promise<void>) | undefined][] = env.ATRIUM_DEMO
    ? []
    : [
        ['sms', sms && ((row) => sms(smsOf(row)))],
        ['mail', mail && ((row) => mail.send(mailOf(row)))],
      ]
  for (const { kind, open } of outboxChannels.all()) {
    const send = open(platform)
    ways.push([
      kind,
      ({ recipient, subject, body }) => send({ to: recipient, subject, payload: body }),
    ])
  }
  const finish = openResultWriter(db)
  // One queue per kind: a hanging mail server must not delay SMS codes.
  const lanes = ways.map(([kind, send]) => ({
    kind,
    ...startDueQueue(log, {
      name: 'the outbox',
      batch,
      async takeBatch() {
        const rows = await claim(db, kind)
        await Promise.all(rows.map((row) => deliver(db, kind, row, send, finish)))
        return rows.length
      },
      secondsToNext: () => secondsToNext(db, kind),
    }),
  }))
  platform.topics.on(({ kind, key }) => {
    if (kind === 'outbox') lanes.find((lane) => lane.kind === key)?.kick()
  })
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
      mail?.close()
    },
  }
}

const smsOf = ({ recipient, body, template, values }: Row): Sms => ({
  to: recipient,
  text: body,
  template,
  values,
})
const mailOf = ({
  recipient,
  subject,
  body,
  html,
  values: { unsubscribe, calendar },
}: Row): Mail => ({
  to: recipient,
  subject,
  text: body,
  ...(html && { html }),
  ...(unsubscribe && { unsubscribe }),
  ...(calendar && { calendar: JSON.parse(calendar) as NonNullable<Mail['calendar']> }),
})

/** Claims due messages; other nodes skip them. */
async function claim(db: Db, kind: Kind): Promise<Row[]> {
  const { rows } = await sql<Row>`
    update outbox set tries = tries + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select id from outbox
      where kind = ${kind} and sent_at is null and failed_at is null and due_at <= now()
      order by due_at, id limit ${batch} for update skip locked)
    returning id, recipient, subject, body, html, template, template_values as values, tries,
      coalesce(good_until < now(), false) as late`.execute(db)
  return rows
}

async function deliver(
  db: Database,
  kind: Kind,
  row: Row,
  send: ((row: Row) => Promise<void>) | undefined,
  finish: Finish,
) {
  try {
    if (row.late) throw new Undeliverable('The message expired before it could be sent.')
    if (!send)
      throw new Undeliverable(
        `Sending is not set up: ${kind === 'sms' ? 'ATRIUM_SMS' : 'ATRIUM_MAIL_URL'}.`,
      )
    await send(row)
    messagesSent.inc({ kind, result: 'sent' })
    await finish({ id: row.id, status: 'sent', error: '' })
  } catch (error) {
    const pause = error instanceof Undeliverable ? undefined : pauses[row.tries - 1]
    const sentence = withoutAddresses((error as Error).message)
    messagesSent.inc({ kind, result: pause ? 'again' : 'failed' })
    if (pause)
      await db
        .updateTable('outbox')
        .set({
          due_at: sql<string>`now() + make_interval(secs => ${pause})`,
          error: sentence,
        })
        .where('id', '=', row.id)
        .execute()
    else await finish({ id: row.id, status: 'failed', error: sentence })
  }
}

type Waiting = { result: OutboxResult; done: () => void; failed: (error: unknown) => void }

/**
 * Records results in the database. Results that arrive during a write are combined into the next one: a transaction for
 * each would take as long as sending a notification.
 */
export function openResultWriter(db: Database) {
  let waiting: Waiting[] = []
  let isWriting = false
  async function write() {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await finish(
          db,
          batch.map(({ result }) => result),
        )
        for (const { done } of batch) done()
      } catch (error) {
        if (batch.length === 1) batch[0]?.failed(error)
        // Write them one by one, so that a result that cannot be written does not affect the others.
        else
          for (const { result, done, failed } of batch)
            await finish(db, [result]).then(done, failed)
      }
    }
    isWriting = false
  }
  return (result: OutboxResult) =>
    new Promise<void>((done, failed) => {
      waiting.push({ result, done, failed })
      if (isWriting) return
      isWriting = true
      void write()
    })
}
type Finish = ReturnType<typeof openResultWriter>

/** Removes codes from finished messages: nobody needs to read them any more. */
const finish = (db: Database, results: readonly OutboxResult[]) =>
  db.transaction().execute(async (db) => {
    await sql`
      update outbox set sent_at = case when result.status = 'sent' then now() end,
        failed_at = case when result.status = 'failed' then now() end, error = result.error,
        template_values = template_values - case when result.status = 'sent' then array['code', 'calendar'] else array['code'] end,
        body = ${masked('body')}, subject = ${masked('subject')}, html = case when result.status = 'sent' then '' else html end
      from unnest(${results.map(({ id }) => id)}::bigint[], ${results.map(({ status }) => status)}::text[],
        ${results.map(({ error }) => error)}::text[]) as result (id, status, error)
      where outbox.id = result.id`.execute(db)
    for (const tell of outboxListeners.all()) await tell(db, results)
  })

/** A column of the outbox with its code masked. */
export const masked = (column: 'body' | 'subject') => sql<string>`
  case when template_values ->> 'code' <> ''
    then replace(${sql.ref(column)}, template_values ->> 'code', '••••••') else ${sql.ref(column)} end`

/** Cuts URLs to their origin (a gateway's URL may contain its key) and removes NULs, which PostgreSQL rejects. */
const withoutAddresses = (text: string) =>
  text
    .replaceAll('\0', '')
    .replaceAll(/https?:\/\/\S+/g, (address) => address.split('/', 3).join('/'))
    .slice(0, 500)

async function secondsToNext(db: Db, kind: Kind) {
  const row = await db
    .selectFrom('outbox')
    .select(sql<number | null>`extract(epoch from min(due_at) - now())::float8`.as('seconds'))
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return row?.seconds
}

/** Queues a failed message again. @returns false if it had not failed or has expired */
export async function retryMessage(db: Db, id: string): Promise<boolean> {
  const again = await db
    .updateTable('outbox')
    .set({ failed_at: null, tries: 0, due_at: sql<string>`now()`, error: '' })
    .where('id', '=', id)
    .where('failed_at', 'is not', null)
    .where((where) =>
      where.or([where('good_until', 'is', null), where('good_until', '>', sql<string>`now()`)]),
    )
    .returning('kind')
    .executeTakeFirst()
  if (again) await announce(db, { kind: 'outbox', key: again.kind })
  return !!again
}

/** Deletes old messages; called by the daily job. */
export const deleteOldMessages = (db: Db) =>
  db
    .deleteFrom('outbox')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${retentionDays})`)
    .execute()
