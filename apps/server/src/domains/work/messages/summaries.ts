import type { MessageSummary } from '@atrium/contract/work/messages'
import type { Db } from '#platform/database/db.ts'

export const delivered = (db: Db, accountId: string) =>
  db
    .selectFrom('message_delivery as delivery')
    .innerJoin('message', 'message.id', 'delivery.message_id')
    .innerJoin('message_app as app', 'app.id', 'delivery.app_id')
    .leftJoin('message_kind as kind', 'kind.id', 'message.kind_id')
    .where('delivery.account_id', '=', accountId)
    .where('delivery.hidden', 'is', null)

export const summaryColumns = [
  'message.id',
  'delivery.app_id',
  'app.name as app_name',
  'app.name_en as app_name_en',
  'kind.code as kind_code',
  'message.title',
  'message.title_en',
  'message.summary',
  'message.summary_en',
  'message.urgent',
  'message.asks_confirmation',
  'message.choices',
  'message.confirm_until',
  'message.actions',
  'delivery.sent_at',
  'delivery.read_at',
  'delivery.starred',
  'delivery.confirmed_at',
  'delivery.answer',
  'delivery.variables',
] as const
type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number]
const selectSummaries = (db: Db) => delivered(db, '').select(summaryColumns).execute()

export function toSummary(row: SummaryRow): MessageSummary {
  const choices = row.choices as { value: string; text: string; textEn: string }[]
  const waiting =
    (row.asks_confirmation && row.confirmed_at === null) ||
    (choices.length > 0 && row.answer === null)
  const closed = row.confirm_until !== null && Date.parse(row.confirm_until) <= Date.now()
  const [link = null] = row.actions as { text: string; textEn: string; url: string }[]
  return {
    id: row.id,
    appId: row.app_id,
    appName: row.app_name,
    appNameEn: row.app_name_en,
    typeCode: row.kind_code ?? 'general',
    title: row.title,
    titleEn: row.title_en,
    summary: row.summary,
    summaryEn: row.summary_en,
    sentAt: row.sent_at,
    read: row.read_at !== null,
    starred: row.starred,
    urgent: row.urgent,
    waiting,
    asked: waiting && !closed ? { confirm: row.asks_confirmation, choices } : null,
    link,
  }
}
