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
  short,
  textCell,
} from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { type Cell, upsertRows } from '#platform/ingest/write-rows.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'
import { serviceAddressIssue } from './address.ts'
import { indexServices } from './search.ts'

const openings = ['auto', 'route', 'webview', 'browser', 'viewer', 'miniProgram'] as const

/** A moment with its offset; it stays as it was written, so that a finer one than milliseconds is kept. */
function timeCell(cell: string): string | null {
  if (cell === '') return null
  const wanted = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/
  if (!wanted.test(cell) || Number.isNaN(Date.parse(cell)))
    throw new RowIssue(
      `is “${short(cell)}” and must be a time with its offset, such as 2026-09-01T08:00:00+08:00`,
    )
  return cell
}

function jsonCell(schema: TSchema, cell: string): string | null {
  if (cell === '') return null
  try {
    const read = readStored(schema, JSON.parse(cell))
    if ('value' in read) return JSON.stringify(read.value)
  } catch {
    // said below
  }
  throw new RowIssue(`is “${short(cell)}”, which is not the JSON it must be`)
}

/** What is wrong with an address, for a row of a file. */
const addressSentences: Partial<Record<IssueKind, string>> = {
  credentials: 'must hold no name and no password',
  closed: 'is inside the institution’s network, and ATRIUM_OUTBOUND_ALLOW does not open it',
}

/** The columns of a file of services; docs/operate.md prints them. */
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
          `is “${short(cell)}” and must be the name of a drawn icon such as library`,
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

/** A catalogue is read whole. */
const maxServices = 20_000

/**
 * Services of a file, found again by their number. Without an audience a new one is for every signed-in member.
 * @param allow ATRIUM_OUTBOUND_ALLOW: which addresses of the inner network services may have
 */
export async function importServices(
  run: Import,
  file: string,
  { allow }: { allow?: string | undefined } = {},
): Promise<Counts> {
  const { db } = run
  const organizations = new Map(
    (await db.selectFrom('organization').select(['id', 'code']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )
  const unknownTarget = await openAudienceCheck(db)
  const before = new Map(
    (
      await db
        .selectFrom('service')
        .select([
          'service_no',
          'audience_id',
          'opening',
          'mini_program',
          'valid_from',
          'valid_until',
        ])
        .execute()
    ).map((row) => [row.service_no, row]),
  )
  const rows: Service[] = []
  for await (const read of readRows(run, file, serviceFields, 'serviceNo')) {
    const { organization, audience, url } = read.values
    const issue =
      organization && !organizations.has(organization)
        ? `organizationCode ${organization} is not known; import organisations first`
        : audience && unknownTarget(audience)
          ? `audience ${unknownTarget(audience)}`
          : (addressIssue(url, allow) ??
            togetherIssue(read.values, before.get(read.values.serviceNo)))
    if (issue) run.issue(read.row, issue)
    else rows.push(read)
    if (rows.length > maxServices)
      throw new RowIssue(`${file} has more than ${maxServices} services. Split it.`)
  }
  const types = await makeTypes(run, rows)
  const audiences = await openAudiences(db)
  const everybody: readonly Rule[] = [{ effect: 'include', kind: 'everybody' }]
  // A column that the file has not is not written at all: a new row takes its default, a stored one keeps its value.
  const has = (name: keyof typeof serviceFields) =>
    rows.some((row) => row.values[name] !== undefined)
  const optional: [keyof typeof serviceFields, string, (service: Service['values']) => Cell][] = [
    ['nameEn', 'name_en', (service) => service.nameEn ?? ''],
    ['summary', 'summary', (service) => service.summary ?? ''],
    ['summaryEn', 'summary_en', (service) => service.summaryEn ?? ''],
    [
      'organization',
      'organization_id',
      (service) => organizations.get(service.organization ?? '') ?? null,
    ],
    ['glyph', 'glyph', (service) => service.glyph ?? 'grid'],
    ['tone', 'tone', (service) => service.tone ?? 'blue'],
    ['tags', 'tags', (service) => service.tags ?? []],
    ['contact', 'contact', (service) => service.contact ?? ''],
    ['hours', 'hours', (service) => service.hours ?? ''],
    ['needsVpn', 'needs_vpn', (service) => service.needsVpn ?? false],
    ['recommended', 'recommended', (service) => service.recommended ?? false],
    ['notice', 'notice', (service) => service.notice ?? ''],
    ['noticeEn', 'notice_en', (service) => service.noticeEn ?? ''],
    ['position', 'position', (service) => service.position ?? 0],
    ['serviceType', 'kind', (service) => service.serviceType ?? ''],
    ['marks', 'marks', (service) => service.marks ?? []],
    ['terminals', 'terminals', (service) => service.terminals ?? []],
    ['forceRecommended', 'force_recommended', (service) => service.forceRecommended ?? false],
    ['validFrom', 'valid_from', (service) => service.validFrom ?? null],
    ['validUntil', 'valid_until', (service) => service.validUntil ?? null],
    ['serviceSource', 'source', (service) => service.serviceSource ?? ''],
    ['techType', 'tech_type', (service) => service.techType ?? ''],
    ['opening', 'opening', (service) => service.opening ?? 'auto'],
    ['miniProgram', 'mini_program', (service) => service.miniProgram ?? null],
    ['tokenAccept', 'token_accept', (service) => service.tokenAccept ?? null],
    ['online', 'online', (service) => service.online ?? true],
  ]
  const present = optional.filter(([name]) => has(name))
  const audienceIds = new Map<Service, number>()
  for (const row of rows) {
    const { audience, serviceNo } = row.values
    const kept = audience ? undefined : before.get(serviceNo)?.audience_id
    audienceIds.set(row, kept ?? (await audiences(audience ?? everybody)))
  }
  const counts = await upsertRows(
    run,
    {
      table: 'service',
      key: ['service_no'],
      columns: [
        'service_no',
        'name',
        'pinyin',
        'initials',
        'type_id',
        'url',
        'audience_id',
        ...present.map(([, column]) => column),
      ],
    },
    rows,
    (row) => {
      const { serviceNo, name, type, url } = row.values
      const sounds = pinyinOf(name)
      return [
        serviceNo,
        name,
        sounds.pinyin,
        sounds.initials,
        types.get(type) ?? null,
        url,
        audienceIds.get(row) ?? null,
        ...present.map(([, , read]) => read(row.values)),
      ]
    },
  )
  if (counts.added + counts.changed > 0) {
    await indexServices(db)
    await invalidate(db, 'services')
  }
  return counts
}

function addressIssue(url: string, allow: string | undefined) {
  const issue = serviceAddressIssue(url, allow)
  const sentence =
    'must be an http or https address, or an internal one that starts with /, without spaces'
  return issue && `url is “${short(url)}” and ${addressSentences[issue] ?? sentence}`
}

type Before = {
  opening: string
  mini_program: unknown
  valid_from: string | null
  valid_until: string | null
}
/** What fits alone but not together, with what is stored where the file has no such column. */
function togetherIssue(service: Service['values'], before: Before | undefined) {
  const kept = <T>(given: T | undefined, stored: T) => (given === undefined ? stored : given)
  const from = kept(service.validFrom, before?.valid_from ?? null)
  const until = kept(service.validUntil, before?.valid_until ?? null)
  if (from && until && Date.parse(from) >= Date.parse(until))
    return 'validUntil is not after validFrom'
  const opening = kept<string>(service.opening, before?.opening ?? 'auto')
  const program = kept<unknown>(service.miniProgram, before?.mini_program ?? null)
  if (opening === 'miniProgram' && !program)
    return 'opening is miniProgram, which miniProgram must name'
  return undefined
}

/** The keys of all types the rows name; one not known yet is made. */
async function makeTypes({ db, note }: Import, rows: readonly Service[]) {
  const types = new Map(
    (await db.selectFrom('service_type').select(['code', 'id']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )
  const made: string[] = []
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
    made.push(values.type)
  }
  if (made.length > 0) note(`service types made: ${made.join(', ')}`)
  return types
}

/** Thousands of services share a handful of audiences. */
async function openAudiences(db: Db) {
  const ids = new Map<string, number>()
  return async (rules: readonly Rule[]) => {
    const key = JSON.stringify(rules)
    const id = ids.get(key) ?? (await audienceFor(db, rules))
    ids.set(key, id)
    return id
  }
}
