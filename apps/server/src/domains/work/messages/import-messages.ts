import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { codeCell, flagCell, shortenCell, textCell } from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'

const rowsPerStatement = 5000
/** No registered system can have this code. */
const source = '#import'

/** @throws RowIssue for a value that is not a time with an offset */
function timeCell(cell: string): string {
  const format = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/
  if (!format.test(cell) || Number.isNaN(Date.parse(cell)))
    throw new RowIssue(
      `is “${shortenCell(cell)}” and must be a time with its offset, such as 2026-09-01T08:00:00+08:00`,
    )
  return new Date(cell).toISOString()
}

/** The columns of a file of earlier messages, one row per recipient; listed in docs/operate.md. */
export const messageFields = {
  key: { headers: ['key', 'id', '消息编号', '编号'], required: true, read: textCell(100) },
  username: { headers: ['username', '学工号', '账号'], required: true, read: textCell(128) },
  app: { headers: ['app', 'appCode', '应用代码', '应用'], required: true, read: codeCell },
  title: { headers: ['title', '标题'], required: true, read: textCell(200) },
  titleEn: { headers: ['titleEn', '英文标题'], read: textCell(200) },
  summary: { headers: ['summary', '摘要'], read: textCell(500) },
  content: { headers: ['content', '正文', '内容'], read: textCell(100_000) },
  sender: { headers: ['sender', '发送人', '发送方'], read: textCell(60) },
  sentAt: { headers: ['sentAt', '发送时间'], required: true, read: timeCell },
  readAt: {
    headers: ['readAt', '阅读时间'],
    read: (cell: string) => (cell === '' ? null : timeCell(cell)),
  },
  starred: {
    headers: ['starred', '星标'],
    read: (cell: string) => (cell === '' ? false : flagCell(cell)),
  },
} as const
type ImportRow = Row<typeof messageFields>

/**
 * Imports messages of a previous system with their read state. Rows with the same key are one message. Existing
 * messages and deliveries are unchanged, and nobody is notified.
 */
export async function importMessages(run: Import, file: string): Promise<Counts> {
  const { db } = run
  const [apps, accounts] = await Promise.all([listApps(db), listAccounts(db)])
  const counts: Counts = { added: 0, changed: 0, unchanged: 0 }
  let buffer: ImportRow[] = []
  async function flush() {
    const added = await write(db, buffer, apps, accounts)
    counts.added += added
    counts.unchanged += buffer.length - added
    buffer = []
  }
  for await (const row of readRows(run, file, messageFields, ['key', 'username'])) {
    const { app, username, sentAt } = row.values
    const issue = !apps.has(app)
      ? `app ${app} is not registered; do so with npx atrium message-app set`
      : !accounts.has(username.toLowerCase())
        ? `username ${username} is not known; import members first`
        : Date.parse(sentAt) > Date.now()
          ? 'sentAt is in the future'
          : undefined
    if (issue) run.issue(row.row, issue)
    else buffer.push(row)
    if (buffer.length === rowsPerStatement) await flush()
  }
  await flush()
  return counts
}

type App = { id: string; kindId: string | null }
async function listApps(db: Db): Promise<Map<string, App>> {
  const rows = await db
    .selectFrom('message_app as app')
    .leftJoin('message_kind as kind', (join) =>
      join.onRef('kind.app_id', '=', 'app.id').on('kind.code', '=', 'general'),
    )
    .select(['app.code', 'app.id', 'kind.id as kindId'])
    .execute()
  return new Map(rows.map(({ code, ...app }) => [code, app]))
}

async function listAccounts(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('account').select(['id', 'username']).execute()
  return new Map(rows.map(({ username, id }) => [username, id]))
}

/** @returns the number of new deliveries */
async function write(
  db: Db,
  rows: readonly ImportRow[],
  apps: ReadonlyMap<string, App>,
  accounts: ReadonlyMap<string, string>,
): Promise<number> {
  if (rows.length === 0) return 0
  const list = rows.map(({ values }) => ({
    key: values.key,
    account_id: accounts.get(values.username.toLowerCase()),
    app_id: apps.get(values.app)?.id,
    kind_id: apps.get(values.app)?.kindId,
    title: values.title,
    title_en: values.titleEn ?? '',
    summary: values.summary ?? '',
    content: cleanRichText(values.content ?? ''),
    sender: values.sender ?? '',
    sent_at: values.sentAt,
    read_at: values.readAt ?? null,
    starred: values.starred ?? false,
  }))
  const recordset = sql`json_to_recordset(${JSON.stringify(list)}::json) as given (
    key text, account_id bigint, app_id bigint, kind_id bigint, title text, title_en text, summary text, content text,
    sender text, sent_at timestamptz, read_at timestamptz, starred boolean)`
  await sql`
    insert into message (source, source_key, app_id, kind_id, title, title_en, summary, content, sender, sent_at)
    select distinct on (key) ${source}, key, app_id, kind_id, title, title_en, summary, content, sender, sent_at
    from ${recordset} order by key
    on conflict (source, source_key) where source_key is not null do nothing`.execute(db)
  const { numAffectedRows } = await sql`
    insert into message_delivery (account_id, message_id, app_id, sent_at, delivered_at, read_at, starred)
    select distinct on (given.account_id, message.id)
      given.account_id, message.id, message.app_id, message.sent_at, message.sent_at, given.read_at, given.starred
    from ${recordset} join message on message.source = ${source} and message.source_key = given.key
    order by given.account_id, message.id
    on conflict (account_id, message_id, sent_at) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
