import type { PersonalKind, SourceKind } from '@atrium/contract/member/personal-source'
import { sql } from 'kysely'
import {
  type Circuit,
  newCircuit,
  release,
  tryAcquire,
} from '#domains/services/upstreams/circuit.ts'
import type { Db } from '#platform/database/db.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { askSource } from './ask.ts'
import { ForeignAnswer, type Who } from './asked.ts'
import type { Kept } from './shapes.ts'
import { knownSources, recordHealth, type Source } from './sources.ts'

/** Stored data about a member, with its age and whether it is outdated. */
export type Known = {
  value: Kept | null
  asOf: string | null
  /** outdated, and a system could provide newer data */
  isOld: boolean
  source: Source | undefined
}

/** Maximum concurrent requests per system and node; further callers get the stored data. */
const maxAtOnce = 24
/** Interval for recording good health, in ms. */
const goodEvery = 15_000

type Asking = {
  circuits: Map<SourceKind, Circuit>
  /** requests in progress, by kind and account */
  questions: Map<string, Promise<boolean>>
  told: Map<SourceKind, number>
}
const askingOf = definePart<Asking>(() => ({
  circuits: new Map(),
  questions: new Map(),
  told: new Map(),
}))

/** The stored data of these kinds, without asking any system. */
export async function readKept(
  platform: Platform,
  accountId: string,
  kinds: readonly PersonalKind[],
): Promise<Record<PersonalKind, Known>> {
  const [sources, rows] = await Promise.all([
    knownSources(platform),
    platform.db
      .selectFrom('personal_card')
      .select(['kind', 'value', 'updated_at'])
      .where('account_id', '=', accountId)
      .where('kind', '=', sql<string>`any(${kinds as string[]}::text[])`)
      .execute(),
  ])
  const known = (kind: PersonalKind): Known => {
    const row = rows.find((one) => one.kind === kind)
    const source = sources.get(kind)
    const asked = source && source.connector.way !== 'import'
    const age = row ? Date.now() - Date.parse(row.updated_at) : Number.POSITIVE_INFINITY
    return {
      value: (row?.value ?? null) as Kept | null,
      asOf: row?.updated_at ?? null,
      isOld: asked ? age > source.connector.keepMinutes * 60_000 : false,
      source,
    }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, known(kind)])) as Record<PersonalKind, Known>
}

/**
 * The stored data, refreshed from the system if outdated. If the system does not answer, the outdated data is returned.
 */
export async function readPersonal(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  { anew = false } = {},
): Promise<Known> {
  const kept = (await readKept(platform, accountId, [kind]))[kind]
  if (!kept.source || kept.source.connector.way === 'import' || !(kept.isOld || anew)) return kept
  const answered = await ask(platform, accountId, kind, kept.source)
  return answered ? (await readKept(platform, accountId, [kind]))[kind] : { ...kept, isOld: true }
}

/** Asks the system once for all concurrent callers. @returns whether an answer was stored */
function ask(platform: Platform, accountId: string, kind: PersonalKind, source: Source) {
  const { questions } = askingOf(platform)
  const key = `${kind} ${accountId}`
  const waiting = questions.get(key)
  if (waiting) return waiting
  const question = askAndKeep(platform, accountId, kind, source).finally(() =>
    questions.delete(key),
  )
  questions.set(key, question)
  return question
}

async function askAndKeep(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  source: Source,
): Promise<boolean> {
  const { db } = platform
  const who = await findWho(db, accountId)
  const { timeZone } = await readSettings(db)
  const answer = await throughCircuit(platform, source, (secret) =>
    askSource(
      kind,
      source.connector,
      { secret, allow: platform.env.ATRIUM_OUTBOUND_ALLOW, who },
      timeZone,
    ),
  )
  if (answer === undefined) return false
  for (const { field, text } of answer.problems.slice(0, 3))
    platform.log.warn({ source: kind, field }, `personal data: ${text}`)
  const columns = { value: JSON.stringify(answer.value), updated_at: sql<string>`now()` }
  await db
    .insertInto('personal_card')
    .values({ account_id: accountId, kind, ...columns })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(columns))
    .execute()
  return true
}

/**
 * Asks a system unless its circuit breaker is open, and records the outcome.
 * @returns undefined if there is no answer
 */
export async function throughCircuit<T>(
  platform: Platform,
  { kind, connector, sealedSecret }: Source,
  question: (secret: string | undefined) => Promise<T>,
): Promise<T | undefined> {
  const { circuits, told } = askingOf(platform)
  const address = JSON.stringify(connector)
  const known = circuits.get(kind)
  const circuit = known?.address === address ? known : newCircuit(address)
  circuits.set(kind, circuit)
  const start = Date.now()
  if (circuit.inFlight >= maxAtOnce || !tryAcquire(circuit, start)) return undefined
  const secret = sealedSecret === null ? undefined : platform.secret.decrypt(sealedSecret)
  try {
    const answer = await question(secret)
    release(circuit, true, Date.now())
    if (Date.now() - (told.get(kind) ?? 0) > goodEvery) {
      told.set(kind, Date.now())
      await recordHealth(platform.db, kind, { milliseconds: Date.now() - start })
    }
    return answer
  } catch (error) {
    const foreign = error instanceof ForeignAnswer
    // The system works but was wrong about one member; requests for others may continue.
    release(circuit, foreign, Date.now())
    told.delete(kind)
    const issue = (error as Error).message
    platform.log.warn({ source: kind }, `personal data: ${issue}`)
    await recordHealth(platform.db, kind, { issue, foreign, milliseconds: Date.now() - start })
    return undefined
  }
}

/** The member's identifiers in other systems. */
export async function findWho(db: Db, accountId: string): Promise<Who> {
  const { username, number, email } = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.external_key as number', 'person.email'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { username, number: number ?? '', email: email ?? '' }
}
