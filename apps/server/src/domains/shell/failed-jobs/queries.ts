import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

type Row = {
  id: string
  job: string
  key: string
  tries: number
  error: string
  stack: string
  createdAt: string
  failedAt: string | null
}

/** pg-boss creates its tables on its first start. */
const hasQueue = async (db: Db) => {
  const { rows } = await sql<{
    there: boolean
  }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  return rows[0]?.there ?? false
}

/** Newest first. */
export async function listFailedJobs(db: Db, id?: string): Promise<Row[]> {
  if (!(await hasQueue(db))) return []
  const { rows } = await sql<Row>`
    select id::text as id, name as job, coalesce(data ->> 'key', '') as key, retry_count + 1 as tries,
      coalesce(output ->> 'message', output #>> '{value,message}', '') as error, coalesce(output ->> 'stack', '') as stack,
      created_on as "createdAt", completed_on as "failedAt"
    from pgboss.job
    where state = 'failed'
      ${id ? sql`and id = ${id}::uuid` : sql``}
    order by completed_on desc, id limit 200`.execute(db)
  return rows
}

/** The same update as pg-boss's own retry. */
export async function retryFailedJob(db: Db, id: string): Promise<boolean> {
  if (!(await hasQueue(db))) return false
  const { rows } = await sql`
    update pgboss.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null
    where id = ${id}::uuid and state = 'failed' returning id`.execute(db)
  return rows.length > 0
}

export async function discardFailedJob(db: Db, id: string): Promise<boolean> {
  if (!(await hasQueue(db))) return false
  const { rows } = await sql`
    delete from pgboss.job where id = ${id}::uuid and state = 'failed' returning id`.execute(db)
  return rows.length > 0
}
