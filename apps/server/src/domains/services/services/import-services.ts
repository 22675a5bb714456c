import { MiniProgram, TokenAccept } from '@atrium/contract/services/services'
import type { TSchema } from 'typebox'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck, readAudience } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { readStored } from '#platform/database/parse-json-column.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { IssueKind } from '#platform/http/errors.ts'
import {
  choiceCell,
  codeCell,
  flagCell,
  integerCell,
  listCell,
  shortenCell,
  textCell,
} from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { type Cell, upsertRows } from '#platform/ingest/write-rows.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'
import { serviceAddressIssue } from './address.ts'
import { indexServices } from './search.ts'

const openings = ['auto', 'route', 'webview', 'browser', 'viewer', 'miniProgram'] as const

/** Reads a time with its offset; returned as written, to keep microseconds. */
function timeCell(cell: string): string | null {
  if (cell === '') return null
  const pattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/
  if (!pattern.test(cell) || Number.isNaN(Date.parse(cell)))
    throw new RowIssue(
      `is “${shortenCell(cell)}” and must be a time with its offset, such as 2026-09-01T08:00:00+08:00`,
    )
  return cell
}

function jsonCell(schema: TSchema, cell: string): string | null {
  if (cell === '') return null
  try {
    const read = readStored(schema, JSON.parse(cell))
    if ('value' in read) return JSON.stringify(read.value)
  } catch {
    // reported below
  }
  throw new RowIssue(`is “${shortenCell(cell)}”, which is not valid JSON for this field`)
}

/** Sentences for address issues in a file. */
const addressSentences: Partial<Record<IssueKind, string>> = {
  credentials: 'must not contain a username or password',
  closed: 'is inside the institution’s network and not opened with ATRIUM_OUTBOUND_ALLOW',
}

/** Columns of a service file; docs/operate.md prints them. */
export const serviceFields = {
  serviceNo: {
    headers: ['serviceNo', 'code', '服务编号', '服务代码', '编号'],
    required: true,
    read: codeCell,
  },
  name: { headers: ['name', '服务名称', '名称'], required: true, read: textCell(60) },
  nameEn: { headers: ['nameEn', 'english name', '英文名', '英文名称'], read: textCell(100) },
  type: {
    headers: ['typeCode', 'type', '类型代码', '分类代码', '服务类型'],
    required: true,
    read: codeCell,
  },
  typeName: { headers: ['typeName', '类型名称', '分类名称'], read: textCell(60) },
  url: {
    headers: ['url', 'link', '服务地址', '链接', '地址'],
    required: true,
    read: (cell: string) => cell,
  },
  summary: { headers: ['summary', 'description', '简介', '服务简介', '描述'], read: textCell(300) },
  summaryEn: { headers: ['summaryEn', '英文简介'], read: textCell(500) },
  organization: {
    headers: [
      'organizationCode',
      'organisationCode',
      'organization',
      'organisation',
      '部门代码',
      '主管部门代码',
    ],
    read: (cell: string) => (cell === '' ? null : codeCell(cell)),
  },
  audience: {
    headers: ['audience', '可见范围', '使用范围'],
    read: (cell: string): Rule[] | null => (cell === '' ? null : readAudience(cell)),
  },
  glyph: {
    headers: ['glyph', 'icon', '图标'],
    read(cell: string) {
      if (!/^[a-z0-9-]{0,40}$/.test(cell))
        throw new RowIssue(
          `is “${shortenCell(cell)}” and must be the name of a drawn icon such as library`,
        )
      return cell || 'grid'
    },
  },
  tone: {
    headers: ['tone', 'color', '颜色'],
    read: (cell: string) =>
      cell === ''
        ? 'blue'
        : choiceCell({
            blue: ['蓝'],
            orange: ['橙'],
            green: ['绿'],
            violet: ['紫'],
            amber: ['黄'],
            teal: ['青'],
          })(cell),
  },
  tags: { headers: ['tags', '标签', '关键词'], read: listCell },
  contact: { headers: ['contact', '联系方式', '联系电话'], read: textCell(200) },
  hours: { headers: ['hours', '服务时间', '办理时间'], read: textCell(200) },
  needsVpn: { headers: ['needsVpn', 'vpn', '需要VPN'], read: flagCell },
  recommended: { headers: ['recommended', '推荐', '是否推荐'], read: flagCell },
  notice: { headers: ['notice', '提示', '公告'], read: textCell(300) },
  noticeEn: { headers: ['noticeEn', '英文提示'], read: textCell(500) },
  position: {
    headers: ['position', '排序', '序号', '顺序'],
    read: (cell: string) => (cell === '' ? 0 : integerCell(cell)),
  },
  serviceType: {
    headers: ['serviceType', 'kind', '服务类别'],
    read: (cell: string) => (cell === '' ? '' : choiceCell({ remote: [] })(cell)),
  },
  marks: {
    headers: ['marks', '角标'],
    read: (cell: string) =>
      listCell(cell).map(
        choiceCell({ new: ['新'], hot: ['热'], official: ['官方'], trial: ['试用'] }),
      ),
  },
  terminals: {
    headers: ['terminals', '终端', '适用终端'],
    read: (cell: string) =>
      listCell(cell)
        .map(choiceCell({ 1: [], 2: [], 3: [], 4: [], 6: [] }))
        .map(String),
  },
  forceRecommended: { headers: ['forceRecommended', '强制推荐'], read: flagCell },
  validFrom: { headers: ['validFrom', '生效时间'], read: timeCell },
  validUntil: { headers: ['validUntil', '失效时间'], read: timeCell },
  serviceSource: { headers: ['serviceSource', 'source', '服务来源'], read: textCell(100) },
  techType: { headers: ['techType', '技术类型'], read: textCell(60) },
  opening: {
    headers: ['opening', '打开方式'],
    read: (cell: string) =>
      cell === ''
        ? 'auto'
        : (openings.find((one) => one === cell) ??
          choiceCell({ auto: [], route: [], webview: [], browser: [], viewer: [] })(cell)),
  },
  miniProgram: {
    headers: ['miniProgram', '小程序'],
    read: (cell: string) => jsonCell(MiniProgram, cell),
  },
  tokenAccept: {
    headers: ['tokenAccept', '令牌方式'],
    read: (cell: string) => jsonCell(TokenAccept, cell),
  },
  online: {
    headers: ['online', '上线', '是否上线'],
    read: (cell: string) => cell === '' || flagCell(cell),
  },
} as const

type Service = Row<typeof serviceFields>

/** Maximum number of services per file, which is held in memory. */
const maxServices = 20_000

/** Optional columns: the field, its column, and the value of an empty cell. */
const optionalColumns: readonly [field: keyof Service['values'], column: string, empty: Cell][] = [
  ['nameEn', 'name_en', ''],
  ['summary', 'summary', ''],
  ['summaryEn', 'summary_en', ''],
  ['organization', 'organization_id', null],
  ['glyph', 'glyph', 'grid'],
  ['tone', 'tone', 'blue'],
  ['tags', 'tags', []],
  ['contact', 'contact', ''],
  ['hours', 'hours', ''],
  ['needsVpn', 'needs_vpn', false],
  ['recommended', 'recommended', false],
  ['notice', 'notice', ''],
  ['noticeEn', 'notice_en', ''],
  ['position', 'position', 0],
  ['serviceType', 'kind', ''],
  ['marks', 'marks', []],
  ['terminals', 'terminals', []],
  ['forceRecommended', 'force_recommended', false],
  ['validFrom', 'valid_from', null],
  ['validUntil', 'valid_until', null],
  ['serviceSource', 'source', ''],
  ['techType', 'tech_type', ''],
  ['opening', 'opening', 'auto'],
  ['miniProgram', 'mini_program', null],
  ['tokenAccept', 'token_accept', null],
  ['online', 'online', true],
]

/**
 * Imports services, matched by number. Without an audience, a new service is for every signed-in member.
 * @param allow ATRIUM_OUTBOUND_ALLOW: which inner addresses services may have
 */
export async function importServices(
  run: Import,
  file: string,
  { allow }: { allow?: string | undefined } = {},
): Promise<Counts> {
  const { db } = run
  const organizations = await mapBy(
    db.selectFrom('organization').select(['id', 'code']).execute(),
    'code',
  )
  const stored = db
    .selectFrom('service')
    .select(['service_no', 'audience_id', 'opening', 'mini_program', 'valid_from', 'valid_until'])
  const before = await mapBy(stored.execute(), 'service_no')
  const rows = await readServices(run, file, { allow, organizations, before })
  const types = await createTypes(run, rows)
  const audiences = await openAudiences(db)
  const everybody: readonly Rule[] = [{ effect: 'include', kind: 'everybody' }]
  // A missing column is not written: a new row gets the default, a stored one keeps its value.
  const present = optionalColumns.filter(([field]) =>
    rows.some(({ values }) => values[field] !== undefined),
  )
  const audienceIds = new Map<Service, number>()
  for (const row of rows) {
    const { audience, serviceNo } = row.values
    const storedAudienceId = audience ? undefined : before.get(serviceNo)?.audience_id
    audienceIds.set(row, storedAudienceId ?? (await audiences(audience ?? everybody)))
  }
  const requiredColumns = [
    'service_no',
    'name',
    'pinyin',
    'initials',
    'type_id',
    'url',
    'audience_id',
  ]
  const columns = [...requiredColumns, ...present.map(([, column]) => column)]
  const counts = await upsertRows(
    run,
    { table: 'service', key: ['service_no'], columns },
    rows,
    (row) => {
      const { serviceNo, name, type, url, organization } = row.values
      const { pinyin, initials } = pinyinOf(name)
      const organizationId = organizations.get(organization ?? '')?.id
      return [
        serviceNo,
        name,
        pinyin,
        initials,
        types.get(type) ?? null,
        url,
        audienceIds.get(row) ?? null,
        ...present.map(([field, , empty]) =>
          field === 'organization' ? (organizationId ?? null) : (cellOf(row, field) ?? empty),
        ),
      ]
    },
  )
  if (counts.added + counts.changed > 0) {
    await indexServices(db)
    await invalidate(db, 'services')
  }
  return counts
}

/** The cell of a field; the audience, the only field that is not a plain cell, is handled separately. */
const cellOf = ({ values }: Service, field: keyof Service['values']) =>
  values[field] as Cell | undefined

async function mapBy<K extends string, T extends Record<K, string>>(
  list: Promise<T[]>,
  key: K,
): Promise<Map<string, T>> {
  return new Map((await list).map((row) => [row[key], row]))
}

type ReadContext = {
  allow: string | undefined
  organizations: ReadonlyMap<string, unknown>
  before: ReadonlyMap<string, Before>
}
/** Reads the valid rows; reports issues with the others. */
async function readServices(
  run: Import,
  file: string,
  { allow, organizations, before }: ReadContext,
) {
  const unknownTarget = await openAudienceCheck(run.db)
  const rows: Service[] = []
  for await (const row of readRows(run, file, serviceFields, 'serviceNo')) {
    const { organization, audience, url } = row.values
    const issue =
      organization && !organizations.has(organization)
        ? `organizationCode ${organization} is not known; import organisations first`
        : audience && unknownTarget(audience)
          ? `audience ${unknownTarget(audience)}`
          : (addressIssue(url, allow) ??
            combinationIssue(row.values, before.get(row.values.serviceNo)))
    if (issue) run.issue(row.row, issue)
    else rows.push(row)
    if (rows.length > maxServices)
      throw new RowIssue(`${file} has more than ${maxServices} services. Split it.`)
  }
  return rows
}

function addressIssue(url: string, allow: string | undefined) {
  const issue = serviceAddressIssue(url, allow)
  const sentence =
    'must be an http or https address, or an internal one that starts with /, without spaces'
  return issue && `url is “${shortenCell(url)}” and ${addressSentences[issue] ?? sentence}`
}

type Before = {
  opening: string
  mini_program: unknown
  valid_from: string | null
  valid_until: string | null
}
/** Issues between fields; a missing column uses the stored value. */
function combinationIssue(service: Service['values'], before: Before | undefined) {
  const valueOrStored = <T>(value: T | undefined, stored: T) =>
    value === undefined ? stored : value
  const from = valueOrStored(service.validFrom, before?.valid_from ?? null)
  const until = valueOrStored(service.validUntil, before?.valid_until ?? null)
  if (from && until && Date.parse(from) >= Date.parse(until))
    return 'validUntil is not after validFrom'
  const opening = valueOrStored<string>(service.opening, before?.opening ?? 'auto')
  const program = valueOrStored<unknown>(service.miniProgram, before?.mini_program ?? null)
  if (opening === 'miniProgram' && !program)
    return 'opening is miniProgram, so miniProgram must name the mini-program'
  return undefined
}

/** Ids of all types in the rows; unknown types are created. */
async function createTypes({ db, note }: Import, rows: readonly Service[]) {
  const types = new Map(
    (await db.selectFrom('service_type').select(['code', 'id']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )
  const created: string[] = []
  for (const { values } of rows) {
    if (types.has(values.type)) continue
    const { id } = await db
      .insertInto('service_type')
      .values({
        code: values.type,
        name: values.typeName || values.type,
        name_en: '',
        position: types.size,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    types.set(values.type, id)
    created.push(values.type)
  }
  if (created.length > 0) note(`service types created: ${created.join(', ')}`)
  return types
}

/** Caches audience ids, because thousands of services share a few audiences. */
async function openAudiences(db: Db) {
  const ids = new Map<string, number>()
  return async (rules: readonly Rule[]) => {
    const key = JSON.stringify(rules)
    const id = ids.get(key) ?? (await audienceFor(db, rules))
    ids.set(key, id)
    return id
  }
}
