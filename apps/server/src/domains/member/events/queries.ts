import type { EventRecord } from '@atrium/contract/member/events'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { columns, operatorColumns } from './rules.ts'

/** A row without the columns that identify the operator. */
export type NewEvent = Record<string, string> & { occurred_at: string; event_id: string }

const senderColumns = ['occurred_at', 'event_id', ...Object.values(columns)]
const operatorNames = Object.values(operatorColumns)

/**
 * Inserts these events in one statement, together with the operator's data; existing events are unchanged.
 * @param accountId null for a visitor
 */
export const insertEvents = (
  db: Db,
  rows: readonly NewEvent[],
  accountId: string | null,
  forwarding: 'own' | 'waiting',
) =>
  sql`
    insert into user_event (${names(senderColumns)}, account_id, ${names(operatorNames)}, forwarding)
    select ${names(senderColumns)}, ${accountId}::bigint, ${sql.join(
      operatorNames.map((name) => sql`coalesce(${sql.ref(name)}, '')`),
    )}, ${forwarding}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (
      occurred_at timestamptz, event_id uuid, ${sql.join(
        Object.values(columns).map((name) => sql`${sql.ref(name)} text`),
      )}
    )
    left join (
      select account.username as operator_code, person.name as operator_name,
             identity_type.name as operator_role_name, identity_type.code as operator_user_type,
             organization.code as operator_organization_code, organization.name as operator_organization_name,
             (select string_agg(above.name, ' / ' order by array_position(organization.path, above.code))
              from organization as above where above.code = any(organization.path)) as operator_organization_detail
      from account
      join person on person.id = account.person_id
      join identity_type on identity_type.code = account.identity_type_code
      join organization on organization.id = account.organization_id
      where account.id = ${accountId}::bigint
    ) as operator on true
    on conflict do nothing`.execute(db)

const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)))

type PendingEvent = { key: { occurred_at: string; event_id: string }; record: EventRecord }

/** Locks events waiting to be forwarded, oldest first, until the transaction ends; other nodes skip them. */
export async function lockPendingEvents(
  db: Db,
  zone: string,
  limit: number,
): Promise<PendingEvent[]> {
  const rows = await db
    .selectFrom('user_event')
    .select(['event_id', 'occurred_at'])
    .select(
      sql<string>`to_char(occurred_at at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS')`.as('local'),
    )
    .select([...Object.values(columns), ...Object.values(operatorColumns)])
    .where('forwarding', '=', sql.lit('waiting'))
    .orderBy('occurred_at')
    .orderBy('event_id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => ({
    key: { occurred_at: row.occurred_at, event_id: row.event_id },
    record: {
      eventId: row.event_id,
      eventEnvOperationTime: row.local,
      ...Object.fromEntries(
        Object.entries({ ...columns, ...operatorColumns }).map(([field, column]) => [
          field,
          row[column],
        ]),
      ),
    } as EventRecord,
  }))
}

export const updateForwarding = (
  db: Db,
  keys: readonly PendingEvent['key'][],
  forwarding: 'passed' | 'refused',
) =>
  sql`
    update user_event set forwarding = ${forwarding}
    from unnest(${keys.map((key) => key.occurred_at)}::timestamptz[], ${keys.map((key) => key.event_id)}::uuid[]) as done (occurred_at, event_id)
    where user_event.occurred_at = done.occurred_at and user_event.event_id = done.event_id`.execute(
    db,
  )
