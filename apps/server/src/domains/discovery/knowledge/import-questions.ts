import { createHash } from 'node:crypto'
import { questionLengths } from '@atrium/contract/discovery/knowledge.operator'
import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck, readAudience } from '#platform/audience-text.ts'
import { invalidate } from '#platform/database/topics.ts'
import { flagCell, shortenCell, textCell } from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { type Cell, upsertRows } from '#platform/ingest/write-rows.ts'
import { isLink } from './handlers.ts'

function timeCell(cell: string): string | null {
  if (cell === '') return null
  const pattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/
  if (!pattern.test(cell) || Number.isNaN(Date.parse(cell)))
    throw new RowIssue(
      `is “${shortenCell(cell)}” and must be a time with its offset, such as 2026-09-01T08:00:00+08:00`,
    )
  return cell
}
function dayCell(cell: string): string | null {
  if (cell === '') return null
  if (!/^\d{4}-\d\d-\d\d$/.test(cell) || Number.isNaN(Date.parse(cell)))
    throw new RowIssue(`is “${shortenCell(cell)}” and must be a day such as 2026-09-01`)
  return cell
}
function linkCell(cell: string): string {
  if (cell.length > 500 || (cell !== '' && !isLink(cell)))
    throw new RowIssue(`is “${shortenCell(cell)}” and must be an http(s) address or begin with /`)
  return cell
}
function wordingsCell(cell: string): string[] {
  const wordings = cell
    .split(/[;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (wordings.length > questionLengths.wordings)
    throw new RowIssue(`has more than ${questionLengths.wordings} wordings`)
  for (const wording of wordings) textCell(questionLengths.wording)(wording)
  return [...new Set(wordings)]
}

/** Columns of a question file; docs/operate.md prints them. */
export const questionFields = {
  question: {
    headers: ['question', '问题', '问'],
    required: true,
    read: textCell(questionLengths.question),
  },
  answer: {
    headers: ['answer', '答案', '回答', '答'],
    required: true,
    read: textCell(questionLengths.answer),
  },
  code: { headers: ['code', '编号', '代码'], read: textCell(100) },
  questionEn: { headers: ['questionEn', '英文问题'], read: textCell(questionLengths.question) },
  answerEn: {
    headers: ['answerEn', '英文答案', '英文回答'],
    read: textCell(questionLengths.answer),
  },
  wordings: { headers: ['wordings', '其他问法', '相似问法'], read: wordingsCell },
  url: { headers: ['url', '链接', '地址'], read: linkCell },
  organization: { headers: ['organizationCode', '部门编码', '机构代码'], read: textCell(100) },
  owner: { headers: ['owner', '负责人', '复核人'], read: textCell(128) },
  audience: {
    headers: ['audience', '受众', '可见范围'],
    read: (cell: string) => (cell === '' ? undefined : readAudience(cell)),
  },
  online: {
    headers: ['online', '上线', '是否上线'],
    read: (cell: string) => cell === '' || flagCell(cell),
  },
  validFrom: { headers: ['validFrom', '生效时间'], read: timeCell },
  validUntil: { headers: ['validUntil', '失效时间'], read: timeCell },
  reviewOn: { headers: ['reviewOn', '复核日期'], read: dayCell },
} as const
type Fields = typeof questionFields

/** Values for all questions of a file that do not set their own. */
export type Defaults = { rules?: readonly Rule[] | undefined; organization?: string | undefined }

/** Imports questions, matched by code, or by their text if they have none. */
export async function importQuestions(run: Import, file: string): Promise<Counts> {
  const rows: Row<Fields>[] = []
  for await (const row of readRows(run, file, questionFields, 'question')) rows.push(row)
  return writeQuestions(run, 'file', rows, {})
}

/** The stable key of a question within its source. */
const sourceKey = (source: string, { code, question }: { code?: string; question: string }) =>
  `${source}#${code || createHash('sha256').update(question).digest('base64url').slice(0, 22)}`

/**
 * Synchronises the questions of one source. A missing column leaves the stored value unchanged.
 * @param source a file, or an address
 */
export async function writeQuestions(
  run: Import,
  source: string,
  rows: readonly Row<Fields>[],
  { rules, organization }: Defaults,
): Promise<Counts> {
  const { db } = run
  const organizations = new Map(
    (await db.selectFrom('organization').select(['id', 'code']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )
  const owners = await ownersOf(run, rows)
  const unknownTarget = await openAudienceCheck(db)
  const validRows = rows.filter(({ row, values }) => {
    const { organization, owner, audience, validFrom, validUntil } = values
    const issue =
      organization && !organizations.has(organization)
        ? `organizationCode ${organization} is not known; import organisations first`
        : owner && !owners.has(owner.toLowerCase())
          ? `owner ${owner} is not an account`
          : audience && unknownTarget(audience)
            ? `audience ${unknownTarget(audience)}`
            : validFrom && validUntil && Date.parse(validUntil) <= Date.parse(validFrom)
              ? 'validUntil is not after validFrom'
              : undefined
    if (issue) run.issue(row, issue)
    return !issue
  })
  const keyOf = ({ values: { code, question } }: Row<Fields>) =>
    sourceKey(source, { question, ...(code !== undefined && { code }) })
  const storedAudiences = new Map(
    (
      await db
        .selectFrom('knowledge_question')
        .select(['source_key', 'audience_id'])
        .where('source', '=', source)
        .execute()
    ).map((row) => [row.source_key, row.audience_id]),
  )
  const everybody: readonly Rule[] = [{ effect: 'include', kind: 'everybody' }]
  const audienceIds = new Map<string, number>()
  for (const row of validRows) {
    const storedAudience = row.values.audience ? undefined : storedAudiences.get(keyOf(row))
    const audienceRules = row.values.audience ?? rules ?? everybody
    audienceIds.set(keyOf(row), storedAudience ?? (await audienceFor(db, audienceRules)))
  }
  const defaultOrganization = organization && organizations.get(organization)
  const optionalColumns: [keyof Fields, string, (values: Row<Fields>['values']) => Cell][] = [
    ['questionEn', 'question_en', ({ questionEn }) => questionEn ?? ''],
    ['answerEn', 'answer_en', ({ answerEn }) => answerEn ?? ''],
    ['wordings', 'wordings', ({ wordings }) => wordings ?? []],
    ['url', 'url', ({ url }) => url ?? ''],
    [
      'organization',
      'organization_id',
      (values) => organizations.get(values.organization ?? '') ?? defaultOrganization ?? null,
    ],
    ['owner', 'owner_account_id', ({ owner }) => owners.get((owner ?? '').toLowerCase()) ?? null],
    ['online', 'online', ({ online }) => online ?? true],
    ['validFrom', 'valid_from', ({ validFrom }) => validFrom ?? null],
    ['validUntil', 'valid_until', ({ validUntil }) => validUntil ?? null],
    ['reviewOn', 'review_on', ({ reviewOn }) => reviewOn ?? null],
  ]
  const present = optionalColumns.filter(
    ([name]) =>
      validRows.some(({ values }) => values[name] !== undefined) ||
      (name === 'organization' && defaultOrganization !== undefined),
  )
  const counts = await upsertRows(
    run,
    {
      table: 'knowledge_question',
      key: ['source_key'],
      columns: [
        'source_key',
        'source',
        'question',
        'answer',
        'audience_id',
        ...present.map(([, column]) => column),
      ],
      also: sql`, revision = knowledge_question.revision + 1, updated_at = now(), reviewed_at = now()`,
    },
    validRows,
    (row) => [
      keyOf(row),
      source,
      row.values.question,
      row.values.answer,
      audienceIds.get(keyOf(row)) ?? null,
      ...present.map(([, , read]) => read(row.values)),
    ],
  )
  if (counts.added + counts.changed > 0) await invalidate(db, 'knowledge')
  return counts
}

async function ownersOf({ db }: Import, rows: readonly Row<Fields>[]) {
  const names = [
    ...new Set(rows.map(({ values }) => values.owner?.toLowerCase() ?? '').filter(Boolean)),
  ]
  if (names.length === 0) return new Map<string, string>()
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', 'in', names)
    .execute()
  return new Map(accounts.map(({ id, username }) => [username, id]))
}

/** Sets questions missing from a source offline. @returns their number */
export async function hideMissing({ db }: Import, source: string, questions: readonly string[]) {
  const keys = questions.map((question) => sourceKey(source, { question }))
  const hidden = await db
    .updateTable('knowledge_question')
    .set({ online: false, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('source', '=', source)
    .where('online', '=', true)
    .where(sql<boolean>`source_key <> all(${keys}::text[])`)
    .executeTakeFirst()
  if (hidden.numUpdatedRows > 0n) await invalidate(db, 'knowledge')
  return Number(hidden.numUpdatedRows)
}
