import type { Place } from '@atrium/contract/shell/map'
import { parseOpeningHours } from '@atrium/rules/opening-hours'
import { invalidate } from '#platform/database/topics.ts'
import { choiceCell, codeCell, integerCell, shortenCell, textCell } from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'

const kindCell = choiceCell<Place['kind']>({
  gate: ['校门', '大门', '门'],
  teaching: ['教学', '教学楼'],
  library: ['图书馆'],
  canteen: ['餐饮', '食堂'],
  dormitory: ['宿舍', '公寓'],
  sports: ['运动', '体育'],
  culture: ['文化'],
  health: ['医疗', '医院'],
  office: ['办事', '办公'],
  transport: ['交通'],
  other: ['其他'],
})

const degreesCell = (max: number) => (cell: string) => {
  if (!/^-?\d{1,3}(\.\d{1,15})?$/.test(cell) || Math.abs(Number(cell)) > max)
    throw new RowIssue(`is “${shortenCell(cell)}” and must be degrees from -${max} to ${max}`)
  return Number(cell)
}

const hoursCell = (cell: string) => {
  if (cell !== '' && !parseOpeningHours(cell))
    throw new RowIssue(
      `is “${shortenCell(cell)}” and must be opening hours such as Mo-Fr 08:00-22:00; Sa,Su 09:00-21:00`,
    )
  return cell
}

/** Columns of a places file; docs/operate.md prints them. */
export const placeFields = {
  code: { headers: ['code', '代码', '编号', '地点代码'], required: true, read: codeCell },
  name: { headers: ['name', '名称', '地点名称'], required: true, read: textCell(60) },
  nameEn: { headers: ['nameEn', 'english name', '英文名', '英文名称'], read: textCell(100) },
  shortName: { headers: ['shortName', 'short name', '简称'], read: textCell(30) },
  latitude: { headers: ['latitude', 'lat', '纬度'], required: true, read: degreesCell(90) },
  longitude: {
    headers: ['longitude', 'lng', 'lon', '经度'],
    required: true,
    read: degreesCell(180),
  },
  kind: {
    headers: ['kind', 'type', '类别', '类型'],
    read: (cell: string) => (cell === '' ? ('other' as const) : kindCell(cell)),
  },
  address: { headers: ['address', '地址'], read: textCell(200) },
  addressEn: { headers: ['addressEn', '英文地址'], read: textCell(200) },
  hours: { headers: ['hours', 'opening hours', '开放时间', '营业时间'], read: hoursCell },
  position: {
    headers: ['position', '排序', '序号', '顺序'],
    read: (cell: string) => (cell === '' ? 0 : integerCell(cell)),
  },
} as const

/** Imports buildings, gates and stops, matched by code. */
export async function importPlaces(run: Import, file: string): Promise<Counts> {
  const stored = new Map(
    (await run.db.selectFrom('place').selectAll().execute()).map((row) => [row.code, row]),
  )
  const rows: Row<typeof placeFields>[] = []
  for await (const row of readRows(run, file, placeFields, 'code')) rows.push(row)
  const counts = await upsertRows(
    run,
    {
      table: 'place',
      key: ['code'],
      columns: [
        'code',
        'name',
        'name_en',
        'short_name',
        'latitude',
        'longitude',
        'kind',
        'address',
        'address_en',
        'position',
        'hours',
      ],
    },
    rows,
    ({ values }) => {
      const before = stored.get(values.code)
      return [
        values.code,
        values.name,
        values.nameEn ?? before?.name_en ?? '',
        values.shortName ?? before?.short_name ?? '',
        values.latitude,
        values.longitude,
        values.kind ?? before?.kind ?? 'other',
        values.address ?? before?.address ?? '',
        values.addressEn ?? before?.address_en ?? '',
        values.position ?? before?.position ?? 0,
        values.hours ?? before?.hours ?? '',
      ]
    },
  )
  if (counts.added + counts.changed > 0) await invalidate(run.db, 'places')
  return counts
}
