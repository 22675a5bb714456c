import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/own-database.ts'
import { openDatabase, openPool, type Pool, prepared } from './db.ts'

let url: string
beforeAll(async () => {
  url = (await ownDatabase({ migrated: false })).url
  const pool = openPool(url, 1)
  // A plan for the rare kind uses an index; the generic plan expects half of the table.
  await pool.query(`create table sample as
    select i as id, case when i % 1000 = 0 then 'rare' else 'frequent' end as kind, repeat('x', 100) as body
    from generate_series(1, 20000) i`)
  await pool.query('create index on sample (kind)')
  await pool.query('analyze sample')
  await pool.end()
})

const write = (_: unknown, { kind }: { kind: string }) =>
  sql<{ bodies: number }>`select count(body)::integer as bodies from sample where kind = ${kind}`

async function plansOf(statement: ReturnType<typeof prepared<{ kind: string }, unknown>>) {
  const pool: Pool = openPool(url, 1)
  const db = openDatabase(pool)
  for (let i = 0; i < 10; i++)
    expect(await statement(db, { kind: 'rare' })).toEqual([{ bodies: 20 }])
  const { rows } = await pool.query(
    'select generic_plans::integer as kept, custom_plans::integer as anew from pg_prepared_statements',
  )
  await pool.end()
  return rows
}

test('without parameter types every execution is planned for its values', async () => {
  expect(await plansOf(prepared(write))).toEqual([{ kept: 0, anew: 10 }])
})

test('with parameter types the generic plan is kept and reused', async () => {
  expect(await plansOf(prepared(write, { kind: 'text' }))).toEqual([{ kept: 5, anew: 5 }])
})
