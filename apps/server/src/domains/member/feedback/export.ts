import type { ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { csvLine } from '#platform/ingest/csv.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { type Filter, listReceived } from './console-queries.ts'
import { listAnswers } from './queries.ts'

const batch = 200
const maxRows = 50_000
const head = [
  '编号 No.',
  '时间 Time',
  '类型 Kind',
  '服务 Service',
  '地点 Place',
  '内容 Content',
  '状态 State',
  '部门 Department',
  '反馈人 Author',
  '账号 Account',
  '联系方式 Contact',
  '答复 Answer',
  '满意度 Score',
  '评价 Comment',
  '相同反馈 Duplicates',
]

/** Streams the feedback the caller is responsible for as CSV, page by page. The BOM tells spreadsheets it is UTF-8. */
export async function* exportFeedback(
  platform: Platform,
  viewer: Member,
  filter: Filter,
): AsyncGenerator<string> {
  const pictures = await picturesOf(platform)
  const { timeZone } = await currentSettings(platform)
  yield `\uFEFF${csvLine(head)}`
  let cursor: string | undefined
  let rows = 0
  do {
    const page = await listReceived(platform.db, pictures, viewer, {
      ...filter,
      ...(cursor && { cursor }),
      pageSize: batch,
    })
    const ids = page.list.map(({ id }) => id)
    const answers = await listAnswers(platform.db, ids)
    yield page.list
      .map((one) => csvLine(cellsOf(one, answers.get(one.id) ?? '', timeZone)))
      .join('')
    rows += page.list.length
    cursor = page.nextCursor ?? undefined
  } while (cursor && rows < maxRows)
}

const cellsOf = (one: ReceivedFeedback, answer: string, timeZone: string) => [
  one.id,
  Temporal.Instant.from(one.createdAt)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' '),
  one.kindName,
  one.serviceName,
  one.place,
  one.content,
  one.state,
  one.department,
  one.author.name,
  one.author.accountName,
  one.contact,
  answer,
  one.score === null ? '' : String(one.score),
  one.scoreComment,
  String(one.duplicates),
]
