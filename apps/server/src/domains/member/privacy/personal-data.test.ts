import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listPersonalTables } from '#platform/personal-data.ts'
import { testApp } from '../../../../test/test-app.ts'

const columnsOfPeople = async () => {
  const { platform } = await testApp()
  const { rows } = await sql<{ name: string }>`
    select c.table_name || '.' || c.column_name as name
    from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = current_schema()::regnamespace
    where c.table_schema = current_schema() and t.relkind in ('r', 'p') and not t.relispartition
      and (c.column_name ~ '(^|_)(person|account)_id$' or c.table_name || '.' || c.column_name = 'person.id')`.execute(
    platform.db,
  )
  return rows.map(({ name }) => name).sort()
}

test('every column that references a person or an account is listed as personal data', async () => {
  const listed = listPersonalTables().flatMap(([table, { column, also = [] }]) =>
    [column, ...also].map((name) => `${table}.${name}`),
  )
  expect(listed.sort()).toEqual(await columnsOfPeople())
})

test('every personal table has either an export title or a reason not to export it', async () => {
  for (const [table, { title, untold }] of listPersonalTables())
    expect(Boolean(title) !== Boolean(untold), table).toBe(true)
})
