import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'

export const everybody: Rule[] = [{ effect: 'include', kind: 'everybody' }]
export const forIdentity = (target: string): Rule[] => [
  { effect: 'include', kind: 'identity', target },
]

/** Adds a service with this audience, as an operator would; returns its id. */
export async function addService(
  { db, topics }: Platform,
  serviceNo: string,
  rules: Rule[],
  name = serviceNo,
) {
  const id = await db.transaction().execute(async (db) => {
    const type = await db
      .selectFrom('service_type')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const row = await db
      .insertInto('service')
      .values({
        service_no: serviceNo,
        name,
        type_id: type.id,
        url: 'https://example.edu/',
        audience_id: await audienceFor(db, rules),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await invalidate(db, 'services')
    return row.id
  })
  await topics.flushed()
  return id
}

/** Changes columns of a service, as an operator would. */
export async function changeService({ db, topics }: Platform, id: string, columns: object) {
  await db.transaction().execute(async (db) => {
    await db.updateTable('service').set(columns).where('id', '=', id).execute()
    await invalidate(db, 'services')
  })
  await topics.flushed()
}
