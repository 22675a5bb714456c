import { createHash } from 'node:crypto'
import type { Endpoint } from '@atrium/contract/define'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { beforeCommit, type Db } from '#platform/database/db.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from './platform.ts'
import type { Secret } from './secret.ts'

export type AuditEntry = {
  channel: 'api' | 'cli' | 'job'
  accountId?: string
  /** the username; for the command line, the operating system user */
  operator: string
  operatorName?: string
  address?: string
  requestId?: string
  /** for example `PUT /console-api/v1/settings/{key}` or `user grant` */
  action: string
  details: unknown
  /** `ok`, or the error code */
  outcome?: string
}

/** Adds an entry; a database trigger numbers it and adds its hash to the chain. */
export const writeAudit = (db: Db, entry: AuditEntry) =>
  sql`
    insert into audit_entry (channel, operator_account_id, operator, operator_name, address, request_id, action, details, outcome)
    values (${entry.channel}, ${entry.accountId ?? null}::bigint, ${entry.operator}, ${entry.operatorName ?? ''},
            ${entry.address ?? ''}, ${entry.requestId ?? ''}, ${entry.action}, ${storable(JSON.stringify(entry.details))}, ${entry.outcome ?? 'ok'})`.execute(
    db,
  )

/** PostgreSQL text cannot hold unpaired surrogates. A NUL is no problem: JSON escapes it. */
const storable = (text: string) => text.toWellFormed()

/**
 * Runs an operator's action and writes its audit entry: inside the action's own transaction if it opens one, otherwise
 * before the response is sent. If the entry cannot be written, the request fails and that transaction is rolled back;
 * effects outside it remain.
 */
export async function audited<T>(
  { db }: Platform,
  endpoint: Endpoint,
  viewer: Member,
  request: FastifyRequest,
  action: () => Promise<T>,
): Promise<T> {
  const entry: AuditEntry = {
    channel: 'api',
    accountId: viewer.accountId,
    operator: viewer.username,
    operatorName: viewer.name,
    address: request.ip,
    requestId: request.id,
    action: `${endpoint.method} ${endpoint.path}`,
    details: detailsOf(endpoint, request),
  }
  return recorded(db, entry, action)
}

/** `audited` for a prepared entry. */
async function recorded<T>(db: Db, entry: AuditEntry, action: () => Promise<T>): Promise<T> {
  let written = false
  const write = async (transaction: Db) => {
    if (!written) await writeAudit(transaction, entry)
    return () => {
      written = true
    }
  }
  try {
    const result = await beforeCommit.run(write, action)
    if (!written) await writeAudit(db, entry)
    return result
  } catch (error) {
    const outcome = error instanceof Refusal ? error.code : 'server.failed'
    // The action failed; an error while recording that must not hide the original one.
    await writeAudit(db, { ...entry, outcome }).catch(() => {})
    throw error
  }
}

// ---- request details ----

const longest = 2000

function detailsOf(endpoint: Endpoint, request: FastifyRequest) {
  const part = (schema: object | undefined, value: unknown) =>
    schema && value ? redacted(schema as Schema, value, '') : undefined
  return {
    params: part(endpoint.params, request.params),
    query: part(endpoint.query, request.query),
    body: part(endpoint.body, request.body),
  }
}

type Schema = {
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const secretName = /password|secret|token|pin$/i

/** The part of a value that its schema describes: secrets are masked, unknown fields dropped, long values shortened. */
export function redacted(schema: Schema, value: unknown, name: string): unknown {
  if (schema.format === 'password' || secretName.test(name)) return '***'
  if (Array.isArray(value)) {
    const of = schema.items
    return of ? value.slice(0, 200).map((item) => redacted(of, item, name)) : shortened(value)
  }
  if (typeof value === 'object' && value !== null && schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => Object.hasOwn(value, key))
        .map(([key, part]) => [key, redacted(part, (value as Record<string, unknown>)[key], key)]),
    )
  return shortened(value)
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length > longest) return `${text.slice(0, longest)}… (${text.length})`
  return value
}

// ---- verification ----

export type AuditState = {
  /** first entry at which the chain breaks, and why */
  broken: { id: string; reason: 'changed' | 'missing' | 'checkpoint' } | null
  entries: string
  /** the last entry; a copy stored elsewhere later proves that no entries were cut off */
  head: { id: string; hash: string } | null
  checkpoints: number
}

type Chained = Record<
  | 'id'
  | 'at'
  | 'channel'
  | 'account_id'
  | 'operator'
  | 'operator_name'
  | 'address'
  | 'request_id'
  | 'action'
  | 'details'
  | 'outcome'
  | 'previous_hash'
  | 'hash',
  string
>

/** The same hash as the table's trigger. Each part follows its byte length, so that no two splits hash alike. */
function hashOf(row: Chained, previous: string) {
  const parts = [
    previous,
    row.id,
    row.at,
    row.channel,
    row.account_id,
    row.operator,
    row.operator_name,
    row.address,
    row.request_id,
    row.action,
    row.details,
    row.outcome,
  ]
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(',')
  return createHash('sha256').update(text).digest('hex')
}

const batch = 2000

/** Verifies the chain from the first entry to the last, and every checkpoint. */
export async function verifyAudit(db: Db, secret: Secret): Promise<AuditState> {
  const checkpoints = await db
    .selectFrom('audit_checkpoint')
    .select(['entry_id', 'hash', 'signature'])
    .orderBy('entry_id')
    .execute()
  const signed = new Map(checkpoints.map((row) => [row.entry_id, row]))
  let last = { id: '0', hash: '' }
  const state = (broken: AuditState['broken']): AuditState => ({
    broken,
    entries: last.id,
    head: last.id === '0' ? null : last,
    checkpoints: checkpoints.length,
  })
  for (;;) {
    const { rows } = await sql<Chained>`
      select id::text, to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as at, channel,
             coalesce(operator_account_id::text, '') as account_id, operator, operator_name, address, request_id, action,
             details, outcome, previous_hash, hash
      from audit_entry where id > ${last.id}::bigint order by audit_entry.id limit ${batch}`.execute(
      db,
    )
    for (const row of rows) {
      const next = String(BigInt(last.id) + 1n)
      if (row.id !== next) return state({ id: next, reason: 'missing' })
      if (row.previous_hash !== last.hash || row.hash !== hashOf(row, last.hash))
        return state({ id: row.id, reason: 'changed' })
      const checkpoint = signed.get(row.id)
      if (checkpoint && !fits(checkpoint, row.hash, secret))
        return state({ id: row.id, reason: 'checkpoint' })
      last = { id: row.id, hash: row.hash }
    }
    if (rows.length < batch) break
  }
  const beyond = checkpoints.find((row) => BigInt(row.entry_id) > BigInt(last.id))
  if (beyond) return state({ id: String(BigInt(last.id) + 1n), reason: 'missing' })
  return state(null)
}

const purpose = 'audit'
const fits = (
  checkpoint: { entry_id: string; hash: string; signature: string },
  hash: string,
  secret: Secret,
) =>
  checkpoint.hash === hash &&
  secret.verify(purpose, `${checkpoint.entry_id} ${hash}`, checkpoint.signature)

/** Signs the end of the chain if entries were added, and logs it, because the log is stored elsewhere. */
export async function writeCheckpoint({
  db,
  secret,
  log,
}: Pick<Platform, 'db' | 'secret' | 'log'>) {
  const head = await db
    .selectFrom('audit_entry')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!head) return
  const made = await db
    .insertInto('audit_checkpoint')
    .values({
      entry_id: head.id,
      hash: head.hash,
      signature: secret.sign(purpose, `${head.id} ${head.hash}`),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('entry_id')
    .executeTakeFirst()
  if (made) log.info({ entry: head.id, hash: head.hash }, 'audit checkpoint')
}
