import type { Pool } from '#platform/database/db.ts'
import type { Host } from './serve.ts'

export type Readiness = 'ready' | 'read-only' | 'not ready' | 'stopping'

/** Timeout in ms after which the database counts as unavailable. */
const patience = 3000

/** Whether requests can be served now, and whether changes can be stored. */
export async function readiness({ platform, draining }: Host): Promise<Readiness> {
  if (draining) return 'stopping'
  if (!platform) return 'not ready'
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<Readiness>((resolve) => {
    timer = setTimeout(resolve, patience, 'not ready')
  })
  const asked = askDatabase(platform.pool).catch((): Readiness => 'not ready')
  return Promise.race([asked, silence]).finally(() => clearTimeout(timer))
}

async function askDatabase(pool: Pool): Promise<Readiness> {
  const client = await pool.connect()
  let readOnly = true
  try {
    const { rows } = await client.query<{ on: boolean }>(
      "select current_setting('transaction_read_only') = 'on' as on",
    )
    readOnly = rows[0]?.on ?? true
    return readOnly ? 'read-only' : 'ready'
  } finally {
    // After a failover the connection may still lead to the old primary: close it, so that the next one resolves again.
    client.release(readOnly)
  }
}
