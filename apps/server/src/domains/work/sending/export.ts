import type { SendingRecipient } from '@atrium/contract/work/sending-ledger'
import type { Db } from '#platform/database/db.ts'
import { csvLine } from '#platform/ingest/csv.ts'
import { listRecipients, type SentMessage } from './ledger.ts'

const batch = 2000
const head = [
  '姓名 Name',
  '账号或联系方式 Account or contact',
  '机构 Organisation',
  '收件箱 Inbox',
  '其他方式 Other channels',
]

/**
 * Streams every recipient of a message with its outcome as CSV, page by page. The BOM tells spreadsheets it is UTF-8.
 */
export async function* exportRecipients(db: Db, sent: SentMessage): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(head)}`
  let cursor: string | undefined
  do {
    const page = await listRecipients(db, sent, { cursor, pageSize: batch })
    yield page.list.map((one) => csvLine(cellsOf(one))).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

const cellsOf = ({ name, contact, organization, inbox, channels }: SendingRecipient) => [
  name,
  contact,
  organization,
  inbox,
  channels
    .map(({ channel, status, error }) => `${channel} ${status}${error ? ` (${error})` : ''}`)
    .join('; '),
]
