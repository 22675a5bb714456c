import { scanSeconds } from '@atrium/contract/identity/scan-login'
import { sql } from 'kysely'
import type { Device } from '#domains/identity/browsers/device.ts'
import type { Db } from '#platform/database/db.ts'

export type ScanState = 'waiting' | 'scanned' | 'confirmed' | 'refused' | 'used'
type NewScan = {
  codeHash: string
  browserHash: string
  number: string
  device: Device
  address: string
  /** the address as counted: an IPv6 client has a whole /64 */
  network: string
}

/** Number of codes requested from a network in the last ten minutes. */
export async function countRecent(db: Db, network: string): Promise<number> {
  const { count } = await db
    .selectFrom('scan_login')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('network', '=', network)
    .where('created_at', '>', sql<string>`now() - interval '10 minutes'`)
    .executeTakeFirstOrThrow()
  return count
}

export const insertScan = (db: Db, scan: NewScan) =>
  db
    .insertInto('scan_login')
    .values({
      code_hash: scan.codeHash,
      browser_hash: scan.browserHash,
      number: scan.number,
      device: JSON.stringify(scan.device),
      address: scan.address,
      network: scan.network,
      expires_at: sql<string>`now() + make_interval(secs => ${scanSeconds})`,
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()

const isAlive = sql<boolean>`expires_at > now()`

export const findState = (db: Db, browserHash: string) =>
  db
    .selectFrom('scan_login')
    .select(sql<ScanState>`state`.as('state'))
    .where('browser_hash', '=', browserHash)
    .where(isAlive)
    .executeTakeFirst()

/** Consumes a confirmed scan. @returns the confirming account; undefined if none has confirmed or it was used */
export const consumeConfirmedScan = (db: Db, browserHash: string) =>
  db
    .updateTable('scan_login')
    .set({ state: 'used' })
    .where('browser_hash', '=', browserHash)
    .where('state', '=', 'confirmed')
    .where(isAlive)
    .returning(['account_id as accountId', 'strong'])
    .executeTakeFirst()

/** Assigns a code to the first account that scans it and returns its details; that account may scan it again. */
export async function assignScan(db: Db, codeHash: string, accountId: string) {
  const row = await db
    .selectFrom('scan_login')
    .select([
      'account_id as accountId',
      'address',
      'number',
      'created_at as startedAt',
      sql<Device>`device`.as('device'),
      sql<ScanState>`state`.as('state'),
    ])
    .where('code_hash', '=', codeHash)
    .where('state', 'in', ['waiting', 'scanned'])
    .where(isAlive)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return 'over'
  if (row.accountId !== null && row.accountId !== accountId) return 'taken'
  await db
    .updateTable('scan_login')
    .set({ state: 'scanned', account_id: accountId })
    .where('code_hash', '=', codeHash)
    .execute()
  return row
}

/** Records the decision of the account that scanned the code, once. @returns whether it could decide */
export async function decideScan(
  db: Db,
  codeHash: string,
  { accountId, confirm, strong }: { accountId: string; confirm: boolean; strong: boolean },
) {
  const decided = await db
    .updateTable('scan_login')
    .set({ state: confirm ? 'confirmed' : 'refused', strong })
    .where('code_hash', '=', codeHash)
    .where('account_id', '=', accountId)
    .where('state', '=', 'scanned')
    .where(isAlive)
    .executeTakeFirst()
  return decided.numUpdatedRows > 0n
}

/** Cancels what a person's accounts have scanned or confirmed. The rows stay, because they count against the limit. */
export const cancelScans = (db: Db, personId: string) =>
  db
    .updateTable('scan_login')
    .set({ state: 'used' })
    .where(sql<boolean>`account_id in (select id from account where person_id = ${personId})`)
    .where('state', 'in', ['scanned', 'confirmed'])
    .execute()

export const deleteOldScans = async (db: Db) => {
  await db
    .deleteFrom('scan_login')
    .where('expires_at', '<', sql<string>`now() - interval '1 hour'`)
    .execute()
}
