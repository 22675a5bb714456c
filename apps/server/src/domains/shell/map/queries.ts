import type { Place } from '@atrium/contract/shell/map'
import { type Expression, sql } from 'kysely'
import { cachedRead } from '#platform/area-state.ts'
import { contains } from '#platform/database/contains.ts'
import type { Db } from '#platform/database/db.ts'

/** Places whose name, English or short name or address contains the words; all places without words; at most 500. */
export async function listPlaces(db: Db, words: string): Promise<Place[]> {
  const holds = (column: Expression<string>) => contains(column, words)
  const rows = await db
    .selectFrom('place')
    .select([
      'id',
      'kind',
      'name',
      'name_en as nameEn',
      'short_name as shortName',
      'address',
      'address_en as addressEn',
      'hours',
      'latitude',
      'longitude',
    ])
    .$if(words !== '', (query) =>
      query.where(({ or, ref }) =>
        or([
          holds(ref('name')),
          holds(ref('name_en')),
          holds(ref('short_name')),
          holds(ref('address')),
        ]),
      ),
    )
    .orderBy('position')
    .orderBy('id')
    .limit(500)
    .execute()
  return rows as Place[]
}

/** The places whose name or short name begins that of a room, in any case. For jobs: requests use `listAllPlaces`. */
export const listPlacesOfRoom = (db: Db, location: string) =>
  db
    .selectFrom('place')
    .select(['name', 'name_en as nameEn', 'short_name as shortName'])
    .where(
      sql<boolean>`(starts_with(lower(${location}::text), lower(name))
        or (short_name <> '' and starts_with(lower(${location}::text), lower(short_name))))`,
    )
    .execute()

/** All places, cached until one changes. */
export const listAllPlaces = cachedRead(['places'], ({ db }) => listPlaces(db, ''))
