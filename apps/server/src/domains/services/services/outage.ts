import type { Outage } from '@atrium/contract/services/health'
import { sql } from 'kysely'

/** Origin of a service's address; null for a screen of our own. */
export const originOf = sql<string | null>`lower(substring(service.url from '^https?://[^/?#]+'))`

const time = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const window = (when: 'now' | 'soon') => sql`
  select jsonb_build_object('kind', 'maintenance', 'since', ${time('starts_at')}, 'until', ${time('ends_at')},
    'text', note, 'textEn', note_en, 'alternative', alternative_id::text)
  from service_maintenance
  where service_id = service.id and ends_at > now() and ${
    when === 'now'
      ? sql`starts_at <= now()`
      : sql`starts_at > now() and starts_at < now() + interval '1 day'`
  }
  order by starts_at limit 1`

/**
 * Column with a service's outage, for a query that contains `service`: current maintenance, else the state of its host,
 * else maintenance within a day. The alternative is only an id; its visibility is checked when it is requested.
 */
export const outageOf = sql<Outage | null>`coalesce(
  (${window('now')}),
  (select jsonb_build_object('kind', host.state, 'since', ${time('host.since')}, 'until', null,
      'text', coalesce(known.note, ''), 'textEn', coalesce(known.note_en, ''), 'alternative', known.alternative_id::text)
    from service_host host left join service_health known on known.service_id = service.id
    where host.origin = ${originOf} and host.state in ('slow', 'down') and host.since is not null
      and coalesce(known.watched, true)),
  (${window('soon')}))`.as('outage')
