import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Counts } from '#platform/ingest/import.ts'
import type { MoodleMaterial, MoodleUnit } from './moodle.ts'

/** Synchronises plans and materials of a source; those it no longer has are deleted, in the given courses. */
export async function writeContent(
  db: Db,
  source: string,
  {
    courses,
    units,
    materials,
  }: { courses: string[]; units: MoodleUnit[]; materials: MoodleMaterial[] },
): Promise<Counts> {
  const { rows: written } = await sql<{ added: boolean }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as one(key text, course_id bigint, position integer, title text, text text)
    ), gone as (
      delete from study_unit known where known.source = ${source} and known.course_id = any(${courses}::bigint[])
        and not exists (select from given where given.key = known.source_key)
    )
    insert into study_unit as known (course_id, position, title, text, source, source_key)
    select course_id, position, title, text, ${source}, key from given
    on conflict (source, source_key) where source_key is not null do update set course_id = excluded.course_id,
      position = excluded.position, title = excluded.title, text = excluded.text
    where (known.course_id, known.position, known.title, known.text)
      is distinct from (excluded.course_id, excluded.position, excluded.title, excluded.text)
    returning xmax = 0 as added`.execute(db)
  const { rows: linked } = await sql<{ added: boolean }>`
    with given as (
      select one.*, unit.id as unit_id
      from jsonb_to_recordset(${JSON.stringify(materials)}::jsonb) as one(key text, unit text, course_id bigint, position integer, title text, url text)
      left join study_unit unit on unit.source = ${source} and unit.source_key = one.unit
    ), gone as (
      delete from study_material known where known.source = ${source} and known.course_id = any(${courses}::bigint[])
        and not exists (select from given where given.key = known.source_key)
    )
    insert into study_material as known (course_id, unit_id, position, kind, title, url, source, source_key)
    select course_id, unit_id, position, 'link', title, url, ${source}, key from given
    on conflict (source, source_key) where source_key is not null do update set course_id = excluded.course_id,
      unit_id = excluded.unit_id, position = excluded.position, title = excluded.title, url = excluded.url
    where (known.course_id, known.unit_id, known.position, known.title, known.url)
      is distinct from (excluded.course_id, excluded.unit_id, excluded.position, excluded.title, excluded.url)
    returning xmax = 0 as added`.execute(db)
  const rows = [...written, ...linked]
  const added = rows.filter((one) => one.added).length
  return {
    added,
    changed: rows.length - added,
    unchanged: units.length + materials.length - rows.length,
  }
}
