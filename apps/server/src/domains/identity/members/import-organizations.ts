import { sql } from 'kysely'
import { invalidate } from '#platform/database/topics.ts'
import { codeCell, integerCell, textCell } from '#platform/ingest/cells.ts'
import {
  type Counts,
  type Import,
  type Row,
  type RowSource,
  readRows,
} from '#platform/ingest/import.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'

/** Columns of an organisation file; docs/operate.md prints them. */
export const organizationFields = {
  code: {
    headers: ['code', '代码', '部门代码', '单位代码', '机构代码'],
    required: true,
    read: codeCell,
  },
  name: {
    headers: ['name', '名称', '部门名称', '单位名称', '机构名称'],
    required: true,
    read: textCell(100),
  },
  nameEn: { headers: ['nameEn', 'english name', '英文名', '英文名称'], read: textCell(200) },
  parent: {
    headers: ['parentCode', 'parent', '上级代码', '上级部门代码', '上级单位代码'],
    read: (cell: string) => (cell === '' ? '' : codeCell(cell)),
  },
  position: {
    headers: ['position', '排序', '序号', '顺序'],
    read: (cell: string) => (cell === '' ? 0 : integerCell(cell)),
  },
} as const

type Organization = Row<typeof organizationFields>

/** Imports organisations in any order, matched by code. Moving one moves everything below it. */
export async function importOrganizations(
  run: Import,
  source: RowSource,
): Promise<Counts & { ids: { id: string; added: boolean }[] }> {
  const { db } = run
  const stored = new Map(
    (
      await db
        .selectFrom('organization')
        .leftJoin('organization as parent', 'parent.id', 'organization.parent_id')
        .select(['organization.code', 'organization.name_en', 'parent.code as parent'])
        .execute()
    ).map((row) => [row.code, row]),
  )
  const rows = new Map<string, Organization>()
  for await (const row of readRows(run, source, organizationFields, 'code'))
    rows.set(row.values.code, row)
  const parentOf = (code: string) => rows.get(code)?.values.parent ?? stored.get(code)?.parent ?? ''

  // A rejected row falls back to the stored one, which may fix or break others: repeat until all remaining rows are
  // valid.
  const paths = new Map<string, string[]>()
  for (let hasIssues = true; hasIssues; ) {
    hasIssues = false
    paths.clear()
    for (const code of [...stored.keys(), ...rows.keys()]) {
      const path = pathOf(code, parentOf, (parent) => stored.has(parent) || rows.has(parent))
      if (typeof path !== 'string') {
        paths.set(code, path)
        continue
      }
      const row = rows.get(code)
      if (!row) continue
      run.issue(row.row, path)
      rows.delete(code)
      hasIssues = true
      break
    }
  }

  const validRows = [...rows.values()]
  const columns = [
    'code',
    'name',
    'name_en',
    'path',
    ...(validRows.some((row) => row.values.position !== undefined) ? ['position'] : []),
  ]
  const counts = await upsertRows(
    run,
    { table: 'organization', key: ['code'], columns },
    validRows,
    ({ values }) => [
      values.code,
      values.name,
      values.nameEn ?? stored.get(values.code)?.name_en ?? '',
      paths.get(values.code) ?? [],
      ...(columns.includes('position') ? [values.position ?? 0] : []),
    ],
  )
  // The parent follows from the path; descendants of a moved organisation may not be in the file.
  const codes = [...paths.keys()]
  await sql`
    update organization set path = string_to_array(wanted.path, chr(9)), parent_id = parent.id
    from unnest(${codes}::text[], ${codes.map((code) => (paths.get(code) ?? []).join('\t'))}::text[], ${codes.map((code) => paths.get(code)?.at(-2) ?? null)}::text[])
           as wanted (code, path, parent)
    left join organization parent on parent.code = wanted.parent
    where organization.code = wanted.code
      and (organization.path, organization.parent_id) is distinct from (string_to_array(wanted.path, chr(9)), parent.id)`.execute(
    db,
  )
  if (counts.added + counts.changed > 0) {
    await invalidate(db, 'directory')
    await invalidate(db, 'services') // service lists contain the department's name
  }
  return counts
}

/** Codes from the root down to this one, or a description of the problem. */
function pathOf(
  code: string,
  parentOf: (code: string) => string,
  exists: (code: string) => boolean,
): string[] | string {
  const path = [code]
  for (let parent = parentOf(code); parent !== ''; parent = parentOf(parent)) {
    if (!exists(parent))
      return parent === parentOf(code)
        ? `parentCode ${parent} is not known`
        : `parentCode ${parentOf(code)} lies below ${parent}, which is not known`
    if (path.includes(parent)) return `parentCode ${parentOf(code)} lies below ${code} itself`
    path.unshift(parent)
  }
  return path
}
