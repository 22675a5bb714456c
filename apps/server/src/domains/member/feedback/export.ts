import type { ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { csvLine } from '#platform/ingest/csv.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { type Filter, listReceived } from './console-queries.ts'
import { listAnswers } from './queries.ts'

const batchSize = 200
const maxRows = 50_000
const header = [
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
  yield `\uFEFF${csvLine(header)}`
  let cursor: string | undefined
  let rows = 0
  do {
    const page = await listReceived(platform.db, pictures, viewer, {
      ...filter,
      ...(cursor && { cursor }),
      pageSize: batchSize,
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

const cellsOf = (feedback: ReceivedFeedback, answer: string, timeZone: string) => [
  feedback.id,
  Temporal.Instant.from(feedback.createdAt)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' '),
  feedback.kindName,
  feedback.serviceName,
  feedback.place,
  feedback.content,
  feedback.state,
  feedback.department,
  feedback.author.name,
  feedback.author.accountName,
  feedback.contact,
  answer,
  feedback.score === null ? '' : String(feedback.score),
  feedback.scoreComment,
  String(feedback.duplicates),
]
