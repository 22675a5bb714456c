import type { WaitingOpinion } from '@atrium/contract/services/evaluation'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import {
  cursorPage,
  cursorShapes,
  exactTime,
  pageSizeOf,
  readCursor,
} from '#platform/http/paging.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import { opinionEtag, photosOf } from './queries.ts'

/** Visible opinions with a comment and without a reply. @param codes organisations of the operator; null: all */
const waiting = (db: Db, codes: readonly string[] | null) =>
  db
    .selectFrom('evaluation')
    .innerJoin('service', 'service.id', 'evaluation.service_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .where('evaluation.comment', '<>', '')
    .where('evaluation.reply', '=', '')
    .where('evaluation.hidden_at', 'is', null)
    .$if(codes !== null, (query) =>
      query.where(sql<boolean>`organization.path && ${codes as string[]}::text[]`),
    )

export async function countWaiting(db: Db, codes: readonly string[] | null): Promise<number> {
  const { count } = await waiting(db, codes)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Opinions waiting for a reply, oldest first; anonymous, as readers see them. */
export async function listWaiting(
  db: Db,
  pictures: Pictures,
  codes: readonly string[] | null,
  { query, zone }: { query: { cursor?: string; pageSize?: number }; zone: string },
) {
  const [time, id] = readCursor(query.cursor, [cursorShapes.time, cursorShapes.id]) ?? []
  const pageSize = pageSizeOf(query)
  const rows = await waiting(db, codes)
    .$if(time !== undefined, (page) =>
      page.where(
        sql<boolean>`(evaluation.updated_at, evaluation.id) > (${time ?? ''}::timestamptz, ${id ?? ''}::bigint)`,
      ),
    )
    .select([
      'evaluation.id',
      'evaluation.stars',
      'evaluation.comment',
      'evaluation.reply',
      'service.service_no as code',
      'service.name as serviceName',
      'service.name_en as serviceNameEn',
    ])
    .select([
      opinionEtag.as('etag'),
      exactTime('evaluation.updated_at').as('exact'),
      sql<string>`to_char(evaluation.updated_at at time zone ${zone}, 'YYYY-MM-DD')`.as('day'),
    ])
    .orderBy('evaluation.updated_at')
    .orderBy('evaluation.id')
    .limit(pageSize + 1)
    .execute()
  const photos = await photosOf(
    db,
    pictures,
    rows.map((row) => row.id),
  )
  return cursorPage(
    rows,
    pageSize,
    (row) => [row.exact, row.id],
    ({ exact: _exact, ...row }): WaitingOpinion => ({ ...row, photos: photos.get(row.id) ?? [] }),
  )
}
