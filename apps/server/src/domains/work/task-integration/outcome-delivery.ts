import { sql } from 'kysely'
import { endOutcome } from '#domains/work/tasks/handle.ts'
import { filesOf, type HandledFile } from '#domains/work/tasks/handled-files.ts'
import type { Db } from '#platform/database/db.ts'
import { startDueQueue } from '#platform/delivery/due-queue.ts'
import { callWebhook } from '#platform/outbound/webhook.ts'
import type { Platform } from '#platform/platform.ts'
import { callConnector } from './connector-action.ts'
import { createRequester } from './connector-request.ts'
import { openConnector } from './connectors.ts'
import { linkFiles } from './outcome-files.ts'

/** Outcomes sent in parallel. */
const batch = 20
/** If a node dies while sending, another node retries after this time. */
const leaseSeconds = 60
const [initialBackoffSeconds, maxBackoffSeconds] = [5, 1800]
/**
 * An outcome that could not be sent for this long is reported to the member as refused, so that they handle it again.
 */
const maxRetryDays = 3
const maxAnswerBytes = 20_000

type Outcome = {
  id: string
  key: string
  task: string
  step: string | null
  username: string
  number: string | null
  name: string
  for_username: string | null
  for_name: string | null
  action: string
  comment: string
  form: Record<string, string>
  files: HandledFile[]
  at: string
  failures: number
  late: boolean
  source: string
  address: string
  sealed_secret: string | null
  source_id: string
  /** registered system that can fetch outcomes itself */
  fetches: boolean
  connector: unknown
  sealed_connector_secret: string | null
}

/**
 * Sends outcomes to their sources immediately and in order per task. Failed calls are retried until the source answers;
 * a call whose answer was lost is repeated with the same id. A source without an address fetches the outcomes itself.
 */
export function startOutcomeDelivery(platform: Platform): { stop: () => Promise<void> } {
  const { db, log, topics } = platform
  const queue = startDueQueue(log, {
    name: 'outcomes of tasks',
    batch,
    async takeBatch() {
      const outcomes = await claim(db)
      await Promise.all(outcomes.map((outcome) => sendOutcome(platform, outcome)))
      return outcomes.length
    },
    async secondsToNext() {
      const { seconds } = await db
        .selectFrom('task_outcome')
        .select(sql<number | null>`extract(epoch from min(due_at) - now())::float8`.as('seconds'))
        .where('status', '=', 'sending')
        .executeTakeFirstOrThrow()
      return seconds
    },
  })
  topics.on(({ kind }) => {
    if (kind === 'task-outcome') queue.kick()
  })
  return { stop: queue.stop }
}

async function claim(db: Db): Promise<Outcome[]> {
  const { rows } = await sql<Outcome>`
    with taken as (
      update task_outcome set due_at = now() + make_interval(secs => ${leaseSeconds})
      where id in (
        select id from task_outcome one
        where status = 'sending' and due_at <= now()
          and not exists (select from task_outcome before
            where before.task_id = one.task_id and before.status = 'sending' and before.id < one.id)
        order by due_at limit ${batch} for update skip locked)
      returning *
    )
    select taken.id, taken.key, task.source_key as task, taken.step_key as step, account.username,
      person.external_key as number, person.name, owner.username as for_username, step.person_name as for_name,
      taken.action, taken.comment, taken.form, ${filesOf(sql`outcome.id = taken.id`)} as files,
      taken.created_at as at, taken.failures,
      taken.created_at < now() - make_interval(days => ${maxRetryDays}) as late,
      source.code as source, source.callback_url as address, source.sealed_secret,
      source.id as source_id, source.relying_party_id is not null as fetches, source.connector, source.sealed_connector_secret
    from taken
    join task on task.id = taken.task_id
    join task_source source on source.id = task.source_id
    join account on account.id = taken.account_id
    join person on person.id = account.person_id
    left join task_step step on step.id = taken.step_id and step.acted_by_account_id is not null
    left join account owner on owner.id = step.account_id`.execute(db)
  return rows
}

async function sendOutcome(platform: Platform, outcome: Outcome) {
  const { db, log } = platform
  const endWith = (answer: { refused?: string | undefined }) =>
    db.transaction().execute(async (db) => {
      await endOutcome(db, outcome.id, answer)
      // Discards the ETag so that the next list is read even if unchanged.
      await db
        .updateTable('task_source')
        .set({ list_etag: null })
        .where('id', '=', outcome.source_id)
        .where('list_etag', 'is not', null)
        .execute()
    })
  const answer = await callSource(platform, outcome).catch((error: Error) => ({
    issue: error.message,
  }))
  if (!answer) return endWith({})
  if (!('issue' in answer)) return endWith(answer)
  if (outcome.late) {
    log.error(
      { source: outcome.source, outcome: outcome.key },
      'a task source could not be notified in time',
    )
    return endWith({
      refused:
        '对方系统暂时无法连接，请重新办理 The system could not be reached. Please handle the task again.',
    })
  }
  const failures = outcome.failures + 1
  const backoffSeconds = Math.min(
    initialBackoffSeconds * 2 ** Math.min(failures - 1, 20),
    maxBackoffSeconds,
  )
  log.warn({ source: outcome.source, failures }, `a call to a task source failed: ${answer.issue}`)
  await db
    .updateTable('task_outcome')
    .set({ failures, due_at: sql<string>`now() + make_interval(secs => ${backoffSeconds})` })
    .where('id', '=', outcome.id)
    .execute()
}

/**
 * @returns acceptance, the refusal with its reason, or the issue if there was no valid answer; undefined if no call is
 * needed
 */
async function callSource(
  platform: Platform,
  outcome: Outcome,
): Promise<{ refused?: string | undefined } | { issue: string } | undefined> {
  const { task, step, username, number, name, action, comment, form, at } = outcome
  const { env, secret } = platform
  const allow = env.ATRIUM_OUTBOUND_ALLOW
  const files = linkFiles(platform, outcome.files)
  const onBehalfOf = outcome.for_username
    ? { username: outcome.for_username, name: outcome.for_name }
    : null
  const data = { id: outcome.key, task, step, action, comment, form, files, at, onBehalfOf }
  const by = { username, name }
  if (outcome.connector !== null) {
    const { description, secret: connectorSecret } = openConnector(
      { secret },
      {
        connector: outcome.connector,
        sealedConnectorSecret: outcome.sealed_connector_secret,
      },
    )
    if (description.action)
      return callConnector(
        createRequester(description, connectorSecret, allow),
        description.action,
        {
          ...data,
          by: { ...by, number },
        },
      )
  }
  if (!outcome.address)
    return outcome.fetches
      ? undefined
      : {
          refused:
            '该系统不再接收此处的办理，请到该系统中办理 This system no longer accepts actions from here. Please handle the task there.',
        }
  const { status, bytes } = await callWebhook(outcome.address, {
    id: outcome.key,
    body: JSON.stringify({
      type: 'task.handled',
      timestamp: new Date().toISOString(),
      data: { ...data, by },
    }),
    key: outcome.sealed_secret ? secret.decrypt(outcome.sealed_secret) : undefined,
    allow,
    maxBytes: maxAnswerBytes,
  })
  if (status < 200 || status > 299) return { issue: `status ${status}` }
  return parseRefusal(bytes.toString())
}

/** `{ "accepted": false, "reason": "…" }` means refusal; any other successful answer means acceptance. */
function parseRefusal(body: string): { refused?: string } {
  try {
    const { accepted, reason } = JSON.parse(body) as { accepted?: unknown; reason?: unknown }
    if (accepted === false)
      return { refused: typeof reason === 'string' ? reason.trim().slice(0, 300) : '' }
  } catch {
    // An empty or non-JSON body also means acceptance.
  }
  return {}
}
