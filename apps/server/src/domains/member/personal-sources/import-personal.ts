import type { PersonalKind } from '@atrium/contract/member/personal-source'
import { sql } from 'kysely'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import { shortenCell, textCell } from '#platform/ingest/cells.ts'
import {
  type Counts,
  type Field,
  type ImportBySql,
  type RowSource,
  readRows,
} from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { readText, type Shape, shapes } from './shapes.ts'

/** The kinds of files: the fields of a kind, or one of its lists. */
export const personalFiles = {
  cards: { kind: 'ecard', about: 'campus cards: balance and limits' },
  'card-payments': {
    kind: 'ecard',
    list: 'transactions',
    about: 'payments with campus cards',
  },
  loans: { kind: 'books', list: 'list', about: 'books on loan' },
  'returned-books': { kind: 'books', list: 'history', about: 'books that were returned' },
  mailboxes: { kind: 'mailbox', about: 'mailboxes and their unread mail' },
  projects: { kind: 'research', list: 'projects', about: 'research projects' },
  papers: { kind: 'research', list: 'papers', about: 'papers' },
  'research-figures': { kind: 'research', list: 'figures', about: 'research figures' },
  'info-cards': { kind: 'info', list: 'list', about: 'other cards about members' },
} as const satisfies Record<string, { kind: PersonalKind; list?: string; about: string }>
export type PersonalFile = keyof typeof personalFiles

/** Chinese column headers. */
const chineseHeaders: Record<string, readonly string[]> = {
  balance: ['余额', '卡余额'],
  cardNo: ['卡号', '一卡通号'],
  status: ['状态', '卡状态'],
  paymentLimit: ['单笔限额'],
  dayLimit: ['日限额', '每日限额'],
  at: ['时间', '交易时间'],
  place: ['地点', '商户', '馆藏地'],
  placeEn: ['英文地点', '英文商户'],
  amount: ['金额', '交易金额', '经费'],
  title: ['题名', '书名', '名称', '标题'],
  titleEn: ['英文名称', '英文标题'],
  dueOn: ['应还日期', '到期日期'],
  returnedOn: ['归还日期'],
  id: ['编号', '借阅编号'],
  author: ['作者', '责任者'],
  unread: ['未读'],
  total: ['总数', '邮件总数'],
  address: ['邮箱', '邮箱地址'],
  url: ['链接', '网址'],
  role: ['角色', '承担角色'],
  funder: ['来源', '项目来源'],
  startsOn: ['开始日期', '立项日期'],
  endsOn: ['结束日期', '结题日期'],
  venue: ['刊物', '发表刊物'],
  year: ['年份', '发表年份'],
  citations: ['被引', '被引次数'],
  label: ['指标'],
  labelEn: ['指标英文'],
  value: ['数值', '值'],
  note: ['说明', '备注'],
}

const shapeOf = (file: PersonalFile): Record<string, Shape> => {
  const { kind, list }: { kind: PersonalKind; list?: string } = personalFiles[file]
  return list ? (shapes[kind].lists[list]?.fields ?? {}) : shapes[kind].fields
}

/** The columns of a file; time zone and unit only matter when reading values. */
export function personalFields(
  file: PersonalFile,
  settings = { timeZone: 'UTC', moneyIn: 'yuan' as 'yuan' | 'fen' },
) {
  const fields: Record<string, Field<unknown>> = {
    number: { headers: ['number', '学工号', '学号', '工号'], read: textCell(100) },
    username: { headers: ['username', '账号'], read: (cell) => textCell(128)(cell).toLowerCase() },
  }
  for (const [name, shape] of Object.entries(shapeOf(file)))
    fields[name] = {
      headers: [name, ...(chineseHeaders[name] ?? [])],
      ...(shape.required && { required: true as const }),
      read(cell) {
        if (cell === '') return undefined
        const value = readText(cell, shape, settings)
        if (value === undefined)
          throw new RowIssue(`is “${shortenCell(cell)}” and cannot be read as ${shape.read}`)
        return value
      },
    }
  return fields
}

/**
 * Imports members' data from a file. For a list, the file replaces the whole list of every member it contains; other
 * members keep what is stored.
 * @throws StartError if the kind is connected to a system
 */
export async function importPersonal(
  run: ImportBySql,
  source: RowSource,
  file: PersonalFile,
  settings: { timeZone: string; moneyIn: 'yuan' | 'fen' },
): Promise<Counts> {
  const { db } = run
  const { kind, list }: { kind: PersonalKind; list?: string } = personalFiles[file]
  const connected = await db
    .selectFrom('personal_source')
    .select(sql<string>`connector->>'way'`.as('way'))
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (connected && connected.way !== 'import')
    throw new StartError(
      `A system is connected for ${kind}, and its answers would replace the rows of the file. Disconnect it first: npx atrium personal disconnect ${kind}`,
    )
  await sql`
    create temp table staged_personal (row integer primary key, number text, username text, item jsonb not null, account_id bigint)
      on commit drop`.execute(db)
  await stage(run, source, file, settings)
  // A number identifies a person, so the row applies to all of their accounts.
  await sql`
    create temp table staged_own on commit drop as
    select staged.row, account.id as account_id, staged.item from staged_personal staged
    join account on account.username = staged.username
    union
    select staged.row, account.id, staged.item from staged_personal staged
    join person on person.external_key = staged.number join account on account.person_id = person.id
    where staged.username is null`.execute(db)
  const { rows: unknown } = await sql<{ row: number; who: string }>`
    select row, coalesce(username, number) as who from staged_personal staged
    where not exists (select from staged_own own where own.row = staged.row) order by row`.execute(
    db,
  )
  for (const { row, who } of unknown) run.issue(row, `there is no member ${who}`)
  const needsStoredValue =
    list !== undefined && Object.values(shapes[kind].fields).some((one) => one.required)
  if (needsStoredValue) await skipUnknownMembers(run, kind)
  const max = list ? (shapes[kind].lists[list]?.max ?? 0) : 1
  const value = list
    ? sql`jsonb_build_object(${list}::text, jsonb_agg(item order by row) filter (where place <= ${max}))`
    : sql`(array_agg(item order by row desc))[1]`
  const { rows } = await sql<Counts>`
    with told as (
      select account_id, ${value} as value from (
        select *, row_number() over (partition by account_id order by row) as place from staged_own) numbered
      group by account_id
    ), written as (
      insert into personal_card as stored (account_id, kind, value, updated_at)
      select account_id, ${kind}, value, now() from told order by account_id
      on conflict (account_id, kind) do update set
        value = case when jsonb_typeof(stored.value) = 'object' then stored.value || excluded.value else excluded.value end,
        updated_at = now()
      returning xmax = 0 as added
    )
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed, 0 as unchanged
    from written`.execute(db)
  await markImported(run, kind)
  return rows[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

async function stage(
  run: ImportBySql,
  source: RowSource,
  file: PersonalFile,
  settings: { timeZone: string; moneyIn: 'yuan' | 'fen' },
) {
  const fields = personalFields(file, settings)
  let batch: object[] = []
  const write = async () => {
    const list = batch
    batch = []
    if (list.length > 0)
      await sql`
        insert into staged_personal select * from json_populate_recordset(null::staged_personal, ${JSON.stringify(list)}::json)`.execute(
        run.db,
      )
  }
  for await (const { row, values } of readRows(run, source, fields, [])) {
    const { number, username, ...item } = values as Record<string, unknown>
    if (!number && !username) {
      run.issue(row, 'has neither a number nor a username')
      continue
    }
    batch.push({ row, number: number || null, username: username || null, item })
    if (batch.length >= 2000) await write()
  }
  await write()
  await sql`analyze staged_personal`.execute(run.db)
}

/** A list on its own would create, for example, a card without a balance. */
async function skipUnknownMembers({ db, issue }: ImportBySql, kind: PersonalKind) {
  const { rows } = await sql<{ row: number }>`
    delete from staged_own own where not exists (
      select from personal_card stored
      where stored.account_id = own.account_id and stored.kind = ${kind} and jsonb_typeof(stored.value) = 'object')
    returning row`.execute(db)
  for (const { row } of rows)
    issue(row, `the member has no values of this kind yet; import those first`)
}

/** Registers the import as source, so that operators see where the data comes from. */
async function markImported({ db }: ImportBySql, kind: PersonalKind) {
  const connector = JSON.stringify({ keepMinutes: 1440, way: 'import' })
  await db
    .insertInto('personal_source')
    .values({ kind, connector, answered_at: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict.column('kind').doUpdateSet({ answered_at: sql<string>`now()` }),
    )
    .execute()
  await invalidate(db, 'config')
}
