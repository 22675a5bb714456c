import { TaskConnector } from '@atrium/contract/work/task-connector'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { readStored } from '#platform/database/parse-json-column.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'
import { connectorIssues, originsOf } from './connector-rules.ts'
import { findSource, getSource, type Source } from './sources.ts'

type StoredConnector = Pick<Source, 'connector' | 'sealedConnectorSecret'>

/** The stored description of a source, with its decrypted secret. @throws Error if the description is invalid */
export function openConnector({ secret }: { secret: Secret }, source: StoredConnector) {
  const stored = readStored(TaskConnector, source.connector)
  if ('misfit' in stored) throw new Error(`the description does not fit: ${stored.misfit}`)
  const sealed = source.sealedConnectorSecret
  return {
    description: stored.value,
    secret: sealed === null ? undefined : secret.decrypt(sealed),
  }
}

/** The stored description; undefined if there is none or it is invalid. */
export function findConnector({ connector }: StoredConnector): TaskConnector | undefined {
  if (connector === null) return undefined
  const stored = readStored(TaskConnector, connector)
  return 'value' in stored ? stored.value : undefined
}

/**
 * The stored sealed secret, if the new description uses the same kind of authentication and no other origin gets it.
 */
export function reusableSecret(
  source: StoredConnector,
  connector: TaskConnector,
): string | undefined {
  const previous = findConnector(source)
  if (!previous || previous.authentication.kind !== connector.authentication.kind) return undefined
  const previousOrigins = originsOf(previous)
  return originsOf(connector).every((origin) => previousOrigins.includes(origin))
    ? (source.sealedConnectorSecret ?? undefined)
    : undefined
}

/**
 * The sealed secret to use with a description: the given one, or else the stored one.
 * @throws request.invalid
 */
export function sealedSecretFor(
  secret: Secret,
  source: StoredConnector,
  connector: TaskConnector,
  newSecret: string | undefined,
): string | null {
  if (connector.authentication.kind === 'none') return null
  if (newSecret) return secret.encrypt(newSecret)
  return (
    reusableSecret(source, connector) ?? fail('request.invalid', { fields: { secret: 'required' } })
  )
}

/** @throws request.invalid */
export function checkConnector(connector: TaskConnector) {
  const issues = Object.entries(connectorIssues(connector))
  if (issues.length === 0) return
  fail('request.invalid', {
    fields: Object.fromEntries(
      issues.map(([pointer, kind]): [string, IssueKind] => [
        `connector${pointer.replaceAll('/', '.')}`,
        kind,
      ]),
    ),
  })
}

/** Call in a transaction. @throws task.source_unknown, request.invalid */
export async function setConnector(
  db: Db,
  secret: Secret,
  code: string,
  { connector, secret: newSecret }: { connector: TaskConnector; secret?: string | undefined },
) {
  checkConnector(connector)
  const source = await findSource(db, code)
  await saveConnector(db, source, {
    connector: JSON.stringify(connector),
    sealed_connector_secret: sealedSecretFor(secret, source, connector, newSecret),
  })
  return getSource(db, code)
}

/** Its tasks are kept. Call in a transaction. @throws task.source_unknown */
export async function removeConnector(db: Db, code: string) {
  const source = await findSource(db, code)
  await saveConnector(db, source, { connector: null, sealed_connector_secret: null })
  return getSource(db, code)
}

const saveConnector = (
  db: Db,
  { id }: Source,
  columns: { connector: string | null; sealed_connector_secret: string | null },
) =>
  db
    .updateTable('task_source')
    .set({
      ...columns,
      list_etag: null,
      list_read_at: null,
      compare_due_at: sql<string>`now()`,
      compare_failures: 0,
      compare_error: '',
    })
    .where('id', '=', id)
    .execute()
