import { sql } from 'kysely'
import type { Database, Db } from './db.ts'

/*
 * Tables partitioned by time, one partition per month or quarter (UTC), named after its first month:
 * `user_event_2026_11`. Partitions are created in advance and dropped whole, which is fast at any size.
 */

export type PartitionedTable = {
  name: string
  /** months per partition; must divide 12 */
  months: 1 | 3
}

/** `2026-11`, in UTC like the bounds. */
export const monthOf = (time: Date) => time.toISOString().slice(0, 7)
export const monthAfter = (month: string, months: number) =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()

/** The first month of the partition that contains this month. */
function startOf(month: string, { months }: PartitionedTable) {
  const { month: number } = Temporal.PlainYearMonth.from(month)
  return monthAfter(month, -((number - 1) % months))
}
const partitionName = ({ name }: PartitionedTable, start: string) =>
  `${name}_${start.replace('-', '_')}`

/** Creates the missing partitions for these months, both inclusive. */
export async function ensurePartitions(
  db: Database,
  table: PartitionedTable,
  first: string,
  last: string,
) {
  await db.transaction().execute(async (db) => {
    // Nodes that need the same partition create it once.
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
 * @param before runs in the transaction that drops a partition, because no delete trigger fires for its rows
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
      // Do not make writers wait behind the lock; the next run tries again.
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
