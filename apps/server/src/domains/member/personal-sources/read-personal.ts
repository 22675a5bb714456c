import type { PersonalKind, SourceKind } from '@atrium/contract/member/personal-source'
import { sql } from 'kysely'
import {
  type Circuit,
  newCircuit,
  release,
  tryAcquire,
} from '#domains/services/upstreams/circuit.ts'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { querySource } from './query-source.ts'
import type { CardValue } from './shapes.ts'
import { ForeignAnswer, type MemberIdentifiers } from './source-request.ts'
import { knownSources, recordHealth, type Source } from './sources.ts'

/** Stored data about a member, with its age and whether it is outdated. */
export type StoredCard = {
  value: CardValue | null
  asOf: string | null
  /** outdated, and a system could provide newer data */
  isStale: boolean
  source: Source | undefined
}

/** Maximum concurrent requests per system and node; further callers get the stored data. */
const maxConcurrent = 24
/** Interval for recording good health, in ms. */
const healthIntervalMs = 15_000

type SourceState = {
  circuits: Map<SourceKind, Circuit>
  /** requests in progress, by kind and account */
  pendingRefreshes: Map<string, Promise<boolean>>
  /** forced requests that follow those in progress */
  nextRefreshes: Map<string, Promise<boolean>>
  healthRecordedAt: Map<SourceKind, number>
}
const sourceStateOf = defineState<SourceState>(() => ({
  circuits: new Map(),
  pendingRefreshes: new Map(),
  nextRefreshes: new Map(),
  healthRecordedAt: new Map(),
}))

/** The stored data of these kinds, without asking any system. */
export async function readStoredCards(
  platform: Platform,
  accountId: string,
  kinds: readonly PersonalKind[],
): Promise<Record<PersonalKind, StoredCard>> {
  const [sources, rows] = await Promise.all([
    knownSources(platform),
    platform.db
      .selectFrom('personal_card')
      .select(['kind', 'value', 'updated_at'])
      .where('account_id', '=', accountId)
      .where('kind', '=', sql<string>`any(${kinds as string[]}::text[])`)
      .execute(),
  ])
  const cardOf = (kind: PersonalKind): StoredCard => {
    const row = rows.find((one) => one.kind === kind)
    const source = sources.get(kind)
    const isQueried = source && source.connector.way !== 'import'
    const age = row ? Date.now() - Date.parse(row.updated_at) : Number.POSITIVE_INFINITY
    return {
      value: (row?.value ?? null) as CardValue | null,
      asOf: row?.updated_at ?? null,
      isStale: isQueried ? age > source.connector.keepMinutes * 60_000 : false,
      source,
    }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, cardOf(kind)])) as Record<
    PersonalKind,
    StoredCard
  >
}

/**
 * The stored data, refreshed from the system if outdated. If the system does not answer, the outdated data is returned.
 * @param options `forceRefresh`: it has changed, so refresh it by a request that begins after this call
 */
export async function readPersonal(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  { forceRefresh = false } = {},
): Promise<StoredCard> {
  const card = (await readStoredCards(platform, accountId, [kind]))[kind]
  if (!card.source || card.source.connector.way === 'import' || !(card.isStale || forceRefresh))
    return card
  const wasStored = await (forceRefresh ? refreshAgain : refresh)(
    platform,
    accountId,
    kind,
    card.source,
  )
  const refreshed = (await readStoredCards(platform, accountId, [kind]))[kind]
  return wasStored ? refreshed : { ...refreshed, isStale: true }
}

/** Asks the system once for all concurrent callers. @returns whether an answer was stored */
function refresh(platform: Platform, accountId: string, kind: PersonalKind, source: Source) {
  const { pendingRefreshes } = sourceStateOf(platform)
  const key = `${kind} ${accountId}`
  const running = pendingRefreshes.get(key)
  if (running) return running
  const pending = fetchAndStore(platform, accountId, kind, source).finally(() =>
    pendingRefreshes.delete(key),
  )
  pendingRefreshes.set(key, pending)
  return pending
}

/**
 * As `refresh`, but never joins a request in progress, whose answer may be older than the change: waits for it and asks
 * again, once for all callers that wait.
 */
function refreshAgain(platform: Platform, accountId: string, kind: PersonalKind, source: Source) {
  const { pendingRefreshes, nextRefreshes } = sourceStateOf(platform)
  const key = `${kind} ${accountId}`
  const running = pendingRefreshes.get(key)
  if (!running) return refresh(platform, accountId, kind, source)
  const waiting = nextRefreshes.get(key)
  if (waiting) return waiting
  const next = running
    .catch(() => false)
    .then(() => {
      nextRefreshes.delete(key)
      return refresh(platform, accountId, kind, source)
    })
  nextRefreshes.set(key, next)
  return next
}

/** @returns false if there is no answer; true if it or the answer to a later request of another node is stored */
async function fetchAndStore(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  source: Source,
): Promise<boolean> {
  const { db } = platform
  const who = await getMemberIdentifiers(db, accountId)
  const { timeZone } = await readSettings(db)
  // Stored as the age of the answer: of concurrent requests of two nodes, the later one keeps its answer.
  const askedAt = await readDatabaseTime(db)
  const answer = await withCircuitBreaker(platform, source, (secret) =>
    querySource(
      kind,
      source.connector,
      { secret, allow: platform.env.ATRIUM_OUTBOUND_ALLOW, who },
      timeZone,
    ),
  )
  if (answer === undefined) return false
  for (const { field, text } of answer.problems.slice(0, 3))
    platform.log.warn({ source: kind, field }, `personal data: ${text}`)
  const columns = {
    value: JSON.stringify(answer.value),
    updated_at: sql<string>`${askedAt}::timestamptz`,
  }
  await db
    .insertInto('personal_card')
    .values({ account_id: accountId, kind, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind'])
        .doUpdateSet(columns)
        .where('personal_card.updated_at', '<=', sql<string>`excluded.updated_at`),
    )
    .execute()
  return true
}

/** The time by the clock that all nodes share. */
async function readDatabaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(db)
  return (rows[0] as { at: string }).at
}

/** Sets the status of a stored campus card after its system has accepted the change; the rest keeps its age. */
export const updateCardStatus = (db: Db, accountId: string, status: 'active' | 'frozen') =>
  db
    .updateTable('personal_card')
    .set({ value: sql`jsonb_set(value, '{status}', to_jsonb(${status}::text))` })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'ecard')
    // null: the system does not know the member
    .where(sql<boolean>`jsonb_typeof(value) = 'object'`)
    .execute()

/**
 * Asks a system unless its circuit breaker is open, and records the outcome.
 * @returns undefined if there is no answer
 */
export async function withCircuitBreaker<T>(
  platform: Platform,
  { kind, connector, sealedSecret }: Source,
  request: (secret: string | undefined) => Promise<T>,
): Promise<T | undefined> {
  const { circuits, healthRecordedAt } = sourceStateOf(platform)
  const address = JSON.stringify(connector)
  const existing = circuits.get(kind)
  const circuit = existing?.address === address ? existing : newCircuit(address)
  circuits.set(kind, circuit)
  const start = Date.now()
  if (circuit.inFlight >= maxConcurrent || !tryAcquire(circuit, start)) return undefined
  const secret = sealedSecret === null ? undefined : platform.secret.decrypt(sealedSecret)
  try {
    const answer = await request(secret)
    release(circuit, true, Date.now())
    if (Date.now() - (healthRecordedAt.get(kind) ?? 0) > healthIntervalMs) {
      healthRecordedAt.set(kind, Date.now())
      await recordHealth(platform.db, kind, { milliseconds: Date.now() - start })
    }
    return answer
  } catch (error) {
    const isForeign = error instanceof ForeignAnswer
    // The system works but was wrong about one member; requests for others may continue.
    release(circuit, isForeign, Date.now())
    healthRecordedAt.delete(kind)
    const issue = (error as Error).message
    platform.log.warn({ source: kind }, `personal data: ${issue}`)
    await recordHealth(platform.db, kind, {
      issue,
      foreign: isForeign,
      milliseconds: Date.now() - start,
    })
    return undefined
  }
}

/** The member's identifiers in other systems. */
export async function getMemberIdentifiers(db: Db, accountId: string): Promise<MemberIdentifiers> {
  const { username, number, email } = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.external_key as number', 'person.email'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { username, number: number ?? '', email: email ?? '' }
}
