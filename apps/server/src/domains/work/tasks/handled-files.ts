import { maxFiles, maxFilesOfAction, type TaskAction } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { listUsableFiles } from '#platform/storage/file-use.ts'

/** File ids by form field. */
export type FilesByField = Record<string, string[]>
type Row = { field: string; file_id: string; name: string; position: number }

/**
 * Checks the files given with an action: their number, types and ownership.
 * @throws request.invalid, file.held
 */
export async function checkFiles(
  db: Db,
  viewer: Member,
  { fields }: TaskAction,
  files: FilesByField,
): Promise<Row[]> {
  const issues: Record<string, IssueKind> = {}
  const ids = [...new Set(Object.values(files).flat())]
  const filesById = await findFiles(db, ids)
  const usable = await listUsableFiles(db, viewer, ids)
  const unchecked = new Map(Object.entries(files))
  let remaining = maxFilesOfAction
  const rows = fields.flatMap(({ name, kind, required, most = maxFiles, accept }): Row[] => {
    const chosen = kind === 'files' ? (unchecked.get(name) ?? []) : []
    if (kind === 'files') unchecked.delete(name)
    remaining -= chosen.length
    const hasAllowedType = (id: string) =>
      !accept || accept.includes(endingOf(filesById.get(id)?.name))
    if (kind === 'files' && required && chosen.length === 0) issues[`form.${name}`] = 'required'
    else if (chosen.length > most || remaining < 0) issues[`form.${name}`] = 'length'
    else if (!chosen.every((id) => usable.has(id))) issues[`form.${name}`] = 'unknown'
    else if (!chosen.every(hasAllowedType)) issues[`form.${name}`] = 'format'
    return chosen.map((id, position) => ({
      field: name,
      file_id: id,
      name: filesById.get(id)?.name ?? '',
      position,
    }))
  })
  for (const name of unchecked.keys()) issues[`form.${name}`] = 'undeclared'
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  // Files are not shown to anybody, including other systems, until scanned for viruses.
  if (rows.some((row) => !filesById.get(row.file_id)?.scanned)) fail('file.held')
  return rows
}

async function findFiles(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { name: string | null; scanned: boolean }>()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'name', 'scanned'])
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const endingOf = (name: string | null | undefined) =>
  /\.([A-Za-z0-9]+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ''

export async function insertFiles(db: Db, outcomeId: string, rows: readonly Row[]) {
  if (rows.length === 0) return
  await db
    .insertInto('task_outcome_file')
    .values(rows.map((row) => ({ outcome_id: outcomeId, ...row })))
    .execute()
}

export type HandledFile = {
  id: string
  field: string
  name: string
  mediaType: string
  size: number
}

/** SQL JSON array of the files given with actions, in order. @param outcomes a condition on `outcome` */
export const filesOf = (outcomes: ReturnType<typeof sql>) => sql<HandledFile[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', file.id::text, 'field', given.field, 'name', given.name,
    'mediaType', file.media_type, 'size', file.byte_size) order by outcome.id, given.field, given.position), '[]')
  from task_outcome outcome
  join task_outcome_file given on given.outcome_id = outcome.id
  join file on file.id = given.file_id
  where ${outcomes})`
