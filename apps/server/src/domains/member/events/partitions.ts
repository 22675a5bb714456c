import type { Database } from '#platform/database/db.ts'
import {
  dropPartitionsBefore,
  ensurePartitions as ensurePartitionsOf,
  monthAfter,
  monthOf,
} from '#platform/database/time-partitions.ts'
import { oldestDays } from './rules.ts'

const table = { name: 'user_event', months: 1 } as const
const monthsAhead = 2
/** The month for which each database was last checked. */
const checkedMonths = new WeakMap<Database, string>()

/** Creates the partitions a new record may fall into; queries the database once a month. */
export async function ensurePartitions(db: Database, now = new Date()) {
  const month = monthOf(now)
  if (checkedMonths.get(db) === month) return
  const first = monthOf(new Date(now.getTime() - oldestDays * 86_400_000))
  await ensurePartitionsOf(db, table, first, monthAfter(month, monthsAhead))
  checkedMonths.set(db, month)
}

/** Drops whole months older than the retention. */
export const dropOldPartitions = (db: Database, months: number, now = new Date()) =>
  dropPartitionsBefore(db, table, monthAfter(monthOf(now), -months))
