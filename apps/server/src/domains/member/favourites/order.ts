import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { type FavouriteKind, lockFavourites, tables } from './queries.ts'

// ---- order ----

type MoveRequest = { kind: FavouriteKind; id: string; beforeId: string | null }

/**
 * Moves a favourite before another one, or to the end, by giving it a position between two others, so that one row is
 * written. If no number is left in between, the whole list is renumbered.
 * @throws favourite.not_found also if either belongs to another member
 */
export async function moveFavourite(
  db: Db,
  accountId: string,
  { kind, id, beforeId }: MoveRequest,
) {
  await lockFavourites(db, accountId)
  const position = (await positionBefore(db, accountId, kind, id, beforeId)) ?? undefined
  if (position === undefined) {
    await renumber(db, accountId, kind)
    const retried = await positionBefore(db, accountId, kind, id, beforeId)
    if (retried === null) throw new Error('no place between two whole numbers')
    return setPosition(db, accountId, kind, id, retried)
  }
  return setPosition(db, accountId, kind, id, position)
}

/** @returns null if no number is left in between */
async function positionBefore(
  db: Db,
  accountId: string,
  kind: FavouriteKind,
  id: string,
  beforeId: string | null,
): Promise<number | null> {
  const { table, key } = tables[kind]
  const ownRows = sql`from ${sql.table(table)} where account_id = ${accountId}`
  const positionOf = async (itemId: string) =>
    (
      await sql<{ position: number }>`
        select position ${ownRows} and ${sql.ref(key)} = ${itemId}`.execute(db)
    ).rows[0]?.position ?? fail('favourite.not_found')
  const current = await positionOf(id)
  if (id === beforeId) return current
  if (beforeId === null) {
    const { rows } = await sql<{ last: number }>`select max(position) as last ${ownRows}`.execute(
      db,
    )
    return (rows[0]?.last ?? 0) + 1
  }
  const next = await positionOf(beforeId)
  const { rows } = await sql<{ position: number }>`
    select position ${ownRows} and (position, ${sql.ref(key)}) < (${next}::double precision, ${beforeId}::bigint)
      and ${sql.ref(key)} <> ${id}
    order by position desc, ${sql.ref(key)} desc limit 1`.execute(db)
  const before = rows[0]?.position
  if (before === undefined) return next - 1
  const between = (before + next) / 2
  return before < between && between < next ? between : null
}

const renumber = (db: Db, accountId: string, kind: FavouriteKind) => {
  const { table, key } = tables[kind]
  return sql`
    update ${sql.table(table)} f set position = n.position from (
      select ${sql.ref(key)} as key, row_number() over (order by position, ${sql.ref(key)}) as position
      from ${sql.table(table)} where account_id = ${accountId}) n
    where f.account_id = ${accountId} and f.${sql.ref(key)} = n.key`.execute(db)
}

const setPosition = (
  db: Db,
  accountId: string,
  kind: FavouriteKind,
  id: string,
  position: number,
) => {
  const { table, key } = tables[kind]
  return sql`
    update ${sql.table(table)} set position = ${position}
    where account_id = ${accountId} and ${sql.ref(key)} = ${id}`.execute(db)
}
