import { audienceFor, type Rule } from '#platform/audience.ts'
import { openAudienceCheck, readAudience } from '#platform/audience-text.ts'
import type { Db } from '#platform/db.ts'
import {
  type Cell,
  type Counts,
  choiceCell,
  codeCell,
  flagCell,
  type Import,
  integerCell,
  listCell,
  type Row,
  RowFault,
  readRows,
  short,
  textCell,
  upsertRows,
} from '#platform/import.ts'
import { raiseTopic } from '#platform/topics.ts'
import { pinyinOf } from './pinyin.ts'

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
    read(cell: string) {
      const full = URL.canParse(cell) && /^https?:$/.test(new URL(cell).protocol)
      if (!full && !/^\/(?![/\\])\S*$/.test(cell))
        throw new RowFault(
          `is “${short(cell)}” and must be an http or https address, or an internal one that starts with /`,
        )
      return cell
    },
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
        throw new RowFault(
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
  online: {
    headers: ['online', '上线', '是否上线'],
    read: (cell: string) => cell === '' || flagCell(cell),
  },
} as const

type Service = Row<typeof serviceFields>

/** A catalogue is read whole. */
const mostServices = 20_000

/** Services of a file, found again by their number. Without an audience a new one is for every signed-in member. */
export async function importServices(run: Import, file: string): Promise<Counts> {
  const { db } = run
  const organizations = new Map(
    (await db.selectFrom('organization').select(['id', 'code']).execute()).map((row) => [
      row.code,
      row.id,
    ]),
  )
  const unknownTarget = await openAudienceCheck(db)
  const rows: Service[] = []
  for await (const read of readRows(run, file, serviceFields, 'serviceNo')) {
    const { organization, audience } = read.values
    const fault =
      organization && !organizations.has(organization)
        ? `organizationCode ${organization} is not known; import organisations first`
        : audience && unknownTarget(audience) && `audience ${unknownTarget(audience)}`
    if (fault) run.fault(read.row, fault)
    else rows.push(read)
    if (rows.length > mostServices)
      throw new RowFault(`${file} has more than ${mostServices} services. Split it.`)
  }
  const types = await makeTypes(run, rows)
  const audiences = await openAudiences(db)
  const everybody: readonly Rule[] = [{ effect: 'include', kind: 'everybody' }]
  const stored = new Map(
    (await db.selectFrom('service').select(['service_no', 'audience_id']).execute()).map((row) => [
      row.service_no,
      row.audience_id,
    ]),
  )

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
    ['online', 'online', (service) => service.online ?? true],
  ]
  const present = optional.filter(([name]) => has(name))
  const audienceIds = new Map<Service, number>()
  for (const row of rows) {
    const { audience, serviceNo } = row.values
    const kept = audience ? undefined : stored.get(serviceNo)
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
  if (counts.added + counts.changed > 0) await raiseTopic(db, 'services')
  return counts
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
