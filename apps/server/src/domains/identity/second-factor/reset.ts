import type { Factor } from '@atrium/contract/identity/second-factor'
import { lockPerson } from '#domains/identity/identity/revoke-person.ts'
import type { Db } from '#platform/database/db.ts'
import { notifyFactorChange } from './notice.ts'
import { clearAllAttempts, deleteFactors } from './queries.ts'

/**
 * For people who lost all devices and codes: removes all factors and notifies the person.
 * @returns the factors removed
 */
export const resetFactors = (db: Db, personId: string): Promise<Factor[]> =>
  db.transaction().execute(async (db) => {
    await lockPerson(db, personId)
    const removed = await deleteFactors(db, personId)
    await clearAllAttempts(db, personId)
    if (removed.length > 0) await notifyFactorChange(db, personId, 'reset', 'zh')
    return removed
  })
