import { sql } from 'kysely'
import { mayRecordUse } from '#domains/member/privacy/settings.ts'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/**
 * Callers report a use in several ways (launch, recordUseService, useTime/save), possibly after reading a guide:
 * reports within this time are the same use.
 */
const sameUseMinutes = 10
/** Rows that a day's count is spread over, to avoid lock contention. */
const shards = 8

/** Records that a member used a service, once per use. The catalogue's counter is not updated here but by a job. */
const recordUse = (db: Db, accountId: string, serviceId: string, seconds = 0) =>
  sql`
    with used as (
      insert into service_use as stored (account_id, service_id, seconds)
      values (${accountId}, ${serviceId}, ${seconds})
      on conflict (account_id, service_id) do update set
        last_used_at = now(),
        seconds = stored.seconds + excluded.seconds,
        use_count = stored.use_count + (stored.counted_at < now() - make_interval(mins => ${sameUseMinutes}))::integer,
        counted_at = case when stored.counted_at < now() - make_interval(mins => ${sameUseMinutes})
          then now() else stored.counted_at end
      returning counted_at)
    insert into service_use_day as counted (service_id, day, shard, uses)
    select ${serviceId}::bigint, current_date, (${accountId}::bigint % ${shards})::smallint, 1
    from used where counted_at = now()
    on conflict (service_id, day, shard) do update set uses = counted.uses + 1`.execute(db)

/** Records the use if the member allows it. */
export async function recordServiceUse(
  platform: Platform,
  viewer: Viewer,
  { id }: { id: string },
  seconds?: number,
) {
  if (viewer.signedIn && (await mayRecordUse(platform, viewer)))
    await recordUse(platform.db, viewer.accountId, id, seconds)
}
