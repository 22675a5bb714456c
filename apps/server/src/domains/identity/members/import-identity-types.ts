import { invalidate } from '#platform/database/topics.ts'
import { choiceCell, codeCell, integerCell, textCell } from '#platform/ingest/cells.ts'
import { type Counts, type Import, type Row, readRows } from '#platform/ingest/import.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'

/** Columns of an identity type file; docs/operate.md prints them. */
export const identityTypeFields = {
  code: { headers: ['code', '代码', '身份代码'], required: true, read: codeCell },
  name: { headers: ['name', '名称', '身份名称'], required: true, read: textCell(60) },
  nameEn: { headers: ['nameEn', 'english name', '英文名', '英文名称'], read: textCell(100) },
  label: {
    headers: ['label', '类别', '标签'],
    read: (cell: string) =>
      cell === ''
        ? null
        : choiceCell({ student: ['学生'], teacher: ['教师'], admin: ['管理员'], guest: ['访客'] })(
            cell,
          ),
  },
  position: {
    headers: ['position', '排序', '序号', '顺序'],
    read: (cell: string) => (cell === '' ? 0 : integerCell(cell)),
  },
} as const

/** Imports the institution's identity types, i.e. the identity codes allowed in member files. */
export async function importIdentityTypes(run: Import, file: string): Promise<Counts> {
  const stored = new Map(
    (await run.db.selectFrom('identity_type').selectAll().execute()).map((row) => [row.code, row]),
  )
  const rows: Row<typeof identityTypeFields>[] = []
  for await (const row of readRows(run, file, identityTypeFields, 'code')) rows.push(row)
  const counts = await upsertRows(
    run,
    {
      table: 'identity_type',
      key: ['code'],
      id: 'code',
      columns: ['code', 'name', 'name_en', 'label', 'position'],
    },
    rows,
    ({ values }) => {
      const before = stored.get(values.code)
      return [
        values.code,
        values.name,
        values.nameEn ?? before?.name_en ?? '',
        values.label === undefined ? (before?.label ?? null) : values.label,
        values.position ?? before?.position ?? 0,
      ]
    },
  )
  if (counts.added + counts.changed > 0) await invalidate(run.db, 'directory')
  return counts
}
