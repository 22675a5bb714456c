import { sql } from 'kysely'
import type { Database, Db } from './db.ts'

/*
 * Tables that are partitioned by time, one partition for one month or several (UTC), named by the first of them:
 * `user_event_2026_11`. Partitions are created ahead and dropped whole, which takes a moment however many rows they hold.
 */

export type PartitionedTable = {
  name: string
  /** months in a partition; a year is made of whole partitions */
  months: 1 | 3
}

/** `2026-11`, in UTC as the bounds are. */
export const monthOf = (time: Date) => time.toISOString().slice(0, 7)
export const monthAfter = (month: string, months: number) =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()

/** The first month of the partition that this month lies in. */
function startOf(month: string, { months }: PartitionedTable) {
  const { month: number } = Temporal.PlainYearMonth.from(month)
  return monthAfter(month, -((number - 1) % months))
}
const partitionName = ({ name }: PartitionedTable, start: string) =>
  `${name}_${start.replace('-', '_')}`

/** Creates the missing partitions for these months, the last one included. */
export async function ensurePartitions(
  db: Database,
  table: PartitionedTable,
  first: string,
  last: string,
) {
  await db.transaction().execute(async (db) => {
    // Two nodes that need the same partition create it once.
    await sql`select pg_advisory_xact_lock(7301, hashtext(${table.name}))`.execute(db)
    const there = new Set(await listPartitions(db, table))
    for (
      let start = startOf(first, table);
      start <= last;
      start = monthAfter(start, table.months)
    ) {
      const name = partitionName(table, start)
      if (there.has(name)) continue
      await sql`
        create table ${sql.table(name)} partition of ${sql.table(table.name)}
        for values from (${sql.lit(`${start}-01T00:00:00Z`)}) to (${sql.lit(`${monthAfter(start, table.months)}-01T00:00:00Z`)})`.execute(
        db,
      )
    }
  })
}

/**
 * Drops the partitions that end before this month.
 * @param before runs in the transaction that drops a partition: no trigger sees its rows go
 */
export async function dropPartitionsBefore(
  db: Database,
  table: PartitionedTable,
  month: string,
  before?: (db: Db, partition: string) => Promise<unknown>,
) {
  const newest = partitionName(table, monthAfter(month, -table.months))
  for (const name of await listPartitions(db, table)) {
    if (name > newest) continue
    await db.transaction().execute(async (db) => {
      // A writer is not kept waiting behind the lock; the next run tries again.
      await sql`set local lock_timeout = '5s'`.execute(db)
      await before?.(db, name)
      await sql`drop table if exists ${sql.table(name)}`.execute(db)
    })
  }
}

async function listPartitions(db: Db, { name }: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${name}::regclass and relname ~ ${`^${name}_\\d{4}_\\d{2}$`} order by relname`.execute(
    db,
  )
  return rows.map((row) => row.name)
}
