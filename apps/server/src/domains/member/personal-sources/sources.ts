import { sendable } from '@atrium/contract/define'
import {
  PersonalConnector,
  type SourceKind,
  sourceKinds,
} from '@atrium/contract/member/personal-source'
import type { PersonalSource } from '@atrium/contract/member/personal-sources.operator'
import { sql } from 'kysely'
import { cachedRead } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { readStored } from '#platform/database/parse-json-column.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'
import { checkConnector, hostsOf } from './connector-rules.ts'

export type Source = {
  kind: SourceKind
  connector: PersonalConnector
  sealedSecret: string | null
}

/** Sources by kind; those with an invalid description are left out. */
export async function findSources(db: Db): Promise<Map<SourceKind, Source>> {
  const rows = await db
    .selectFrom('personal_source')
    .select(['kind', 'connector', 'sealed_secret as sealedSecret'])
    .execute()
  return new Map(
    rows.flatMap(({ kind, connector, sealedSecret }) => {
      const stored = readStored(PersonalConnector, connector)
      if (!('value' in stored)) return []
      return [
        [kind as SourceKind, { kind: kind as SourceKind, connector: stored.value, sealedSecret }],
      ]
    }),
  )
}

/** Cached per node until they change. */
export const knownSources = cachedRead(['config'], ({ db }) => findSources(db))

/** @throws personal.source_unknown */
export const getSource = async (db: Db, kind: SourceKind): Promise<Source> =>
  (await findSources(db)).get(kind) ?? fail('personal.source_unknown')

/** Whether a description uses a secret. */
export const needsSecret = ({ way, http }: PersonalConnector) =>
  way === 'sql' ||
  way === 'imap' ||
  (way === 'http' && (http?.authentication.kind !== 'none' || http.actions !== undefined))

/** The stored sealed secret, if the new description uses the same kind of authentication and no other host gets it. */
export function reusableSecret(source: Source | undefined, connector: PersonalConnector) {
  if (!source || source.connector.way !== connector.way) return undefined
  if (source.connector.http?.authentication.kind !== connector.http?.authentication.kind)
    return undefined
  const previousHosts = hostsOf(source.connector)
  return hostsOf(connector).every((host) => previousHosts.includes(host))
    ? (source.sealedSecret ?? undefined)
    : undefined
}

/** @throws request.invalid */
export function sealedSecretFor(
  secret: Secret,
  source: Source | undefined,
  connector: PersonalConnector,
  newSecret: string | undefined,
): string | null {
  if (!needsSecret(connector)) return null
  if (newSecret) return secret.encrypt(newSecret)
  return (
    reusableSecret(source, connector) ?? fail('request.invalid', { fields: { secret: 'required' } })
  )
}

/** Call in a transaction. @throws request.invalid */
export async function setSource(
  db: Db,
  secret: Secret,
  kind: SourceKind,
  { connector, secret: newSecret }: { connector: PersonalConnector; secret?: string | undefined },
): Promise<PersonalSource> {
  checkConnector(kind, connector)
  // Over HTTP the secret goes into a header; databases and mailboxes accept any password.
  if (connector.way === 'http' && newSecret !== undefined && !new RegExp(sendable).test(newSecret))
    fail('request.invalid', { fields: { secret: 'format' } })
  const source = (await findSources(db)).get(kind)
  const columns = {
    connector: JSON.stringify(connector),
    sealed_secret: sealedSecretFor(secret, source, connector, newSecret),
    failures: 0,
    error: '',
  }
  await db
    .insertInto('personal_source')
    .values({ kind, ...columns })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(columns))
    .execute()
  await invalidate(db, 'config')
  return (await listSources(db, kind))[0] ?? fail('personal.source_unknown')
}

/** Its data is deleted with it. Call in a transaction. @throws personal.source_unknown */
export async function removeSource(db: Db, kind: SourceKind) {
  await getSource(db, kind)
  await db.deleteFrom('personal_source').where('kind', '=', kind).execute()
  await db.deleteFrom('personal_card').where('kind', '=', kind).execute()
  await invalidate(db, 'config')
}

/** Sources with their health, in the order of the kinds. */
export async function listSources(db: Db, kind?: SourceKind): Promise<PersonalSource[]> {
  const rows = await db
    .selectFrom('personal_source')
    .selectAll()
    .select(
      sql<number>`(select count(*)::integer from personal_card where kind = personal_source.kind and value <> 'null')`.as(
        'members',
      ),
    )
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))
    .execute()
  return sourceKinds.flatMap((kind) => {
    const row = rows.find((one) => one.kind === kind)
    if (!row) return []
    const stored = readStored(PersonalConnector, row.connector)
    const connector = 'value' in stored ? stored.value : undefined
    const way = connector?.way ?? 'import'
    const isFailing = row.failures > 0 || !connector
    return {
      kind,
      way,
      keepMinutes: connector?.keepMinutes ?? 0,
      hasSecret: row.sealed_secret !== null,
      state: isFailing
        ? 'failing'
        : way === 'import'
          ? 'import'
          : row.answered_at
            ? 'good'
            : 'unasked',
      askedAt: row.asked_at,
      answeredAt: row.answered_at,
      failures: row.failures,
      answers: Number(row.answers),
      errors: Number(row.errors),
      refused: row.refused,
      milliseconds: row.milliseconds,
      error: connector
        ? row.error
        : `the description does not fit: ${'misfit' in stored && stored.misfit}`,
      members: row.members,
    } as const
  })
}

export type RequestOutcome = { issue?: string; foreign?: boolean; milliseconds: number }
/** Records the outcome of a request, for operators. */
export const recordHealth = (
  db: Db,
  kind: SourceKind,
  { issue, foreign, milliseconds }: RequestOutcome,
) =>
  db
    .updateTable('personal_source')
    .set({
      asked_at: sql`now()`,
      ...(issue === undefined
        ? {
            answered_at: sql<string>`now()`,
            answers: sql<string>`answers + 1`,
            failures: 0,
            error: '',
            milliseconds,
          }
        : {
            failures: sql<number>`failures + 1`,
            errors: sql<string>`errors + 1`,
            error: issue.slice(0, 500),
          }),
      ...(foreign && { refused: sql<number>`refused + 1` }),
    })
    .where('kind', '=', kind)
    .execute()
