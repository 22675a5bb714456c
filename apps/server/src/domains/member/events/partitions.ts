import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/db.ts'
import { oldestDays } from './rules.ts'

const monthsAhead = 2
/** Which partitions each database was seen to have, by the month of the look. */
const seen = new WeakMap<Database, string>()

/** The partitions that a record of now may fall into are there; asks the database once a month. */
export async function ensurePartitions(db: Database, now = new Date()) {
  const month = monthOf(now)
  if (seen.get(db) === month) return
  await db.transaction().execute(async (db) => {
    // Two nodes that need the same month make it once.
    await sql`select pg_advisory_xact_lock(7301, 2)`.execute(db)
    const there = new Set(await listPartitions(db))
    for (const needed of monthsAround(now)) {
      const name = nameOf(needed)
      if (there.has(name)) continue
      await sql`
        create table ${sql.table(name)} partition of user_event
        for values from (${sql.lit(`${needed}-01T00:00:00Z`)}) to (${sql.lit(`${monthAfter(needed, 1)}-01T00:00:00Z`)})`.execute(
        db,
      )
    }
  })
  seen.set(db, month)
}

/** Gives up whole months that are older than the retention, a moment's work however much they hold. */
export async function dropOldPartitions(db: Database, months: number, now = new Date()) {
  const oldest = nameOf(monthAfter(monthOf(now), -months))
  for (const name of await listPartitions(db)) {
    if (name >= oldest) continue
    await db.transaction().execute(async (db) => {
      // Whoever writes at this moment is not kept waiting behind us; the next run tries again.
      await sql`set local lock_timeout = '5s'`.execute(db)
      await sql`drop table if exists ${sql.table(name)}`.execute(db)
    })
  }
}

async function listPartitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'user_event'::regclass order by relname`.execute(db)
  return rows.map((row) => row.name)
}

/** `2026-11`, in UTC as the bounds are. */
const monthOf = (time: Date) => time.toISOString().slice(0, 7)
const monthAfter = (month: string, months: number) =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()
const nameOf = (month: string) => `user_event_${month.replace('-', '_')}`

function monthsAround(now: Date): string[] {
  const last = monthAfter(monthOf(now), monthsAhead)
  const months = [monthOf(new Date(now.getTime() - oldestDays * 86_400_000))]
  for (let next = months[0] as string; next < last; months.push(next)) next = monthAfter(next, 1)
  return months
}
