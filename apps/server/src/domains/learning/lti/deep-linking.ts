import type { JWTPayload } from 'jose'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Tool } from './tools.ts'

/** Maximum items per selection; more were not chosen by a person. */
const maxItems = 50
/** Maximum materials per course. */
const maxMaterials = 200

type Item = {
  type?: unknown
  url?: unknown
  title?: unknown
  custom?: unknown
  lineItem?: { scoreMaximum?: unknown; label?: unknown; tag?: unknown; resourceId?: unknown }
}
const textOf = (value: unknown, maxLength: number) =>
  typeof value === 'string' ? [...value.trim()].slice(0, maxLength).join('') : ''

/** Adds the items chosen in a tool to the course. @returns their number @throws study.too_many */
export async function insertItems(
  db: Db,
  tool: Tool,
  courseId: string,
  claims: JWTPayload,
): Promise<number> {
  const items = claims['https://purl.imsglobal.org/spec/lti-dl/claim/content_items']
  let inserted = 0
  for (const item of (Array.isArray(items) ? (items as Item[]) : []).slice(0, maxItems)) {
    const url = textOf(item.url, 2000)
    const title = textOf(item.title, 100) || tool.name
    if (item.type === 'link' && /^https?:\/\//.test(url) && URL.canParse(url)) {
      await insertMaterial(db, courseId, { kind: 'link', title, url })
      inserted++
    }
    if (item.type !== 'ltiResourceLink') continue
    const target = url || tool.target_url
    // A tool's resource link must have the tool's origin.
    if (!URL.canParse(target) || new URL(target).origin !== new URL(tool.target_url).origin)
      continue
    const materialId = await insertMaterial(db, courseId, { kind: 'tool', title, url: '' })
    await insertLink(db, tool, {
      materialId,
      courseId,
      target,
      custom: customOf(item.custom),
      lineItem: item.lineItem && {
        label: textOf(item.lineItem.label, 100) || title,
        points: Number(item.lineItem.scoreMaximum),
        tag: textOf(item.lineItem.tag, 200),
        resourceId: textOf(item.lineItem.resourceId, 200),
      },
    })
    inserted++
  }
  return inserted
}

const customOf = (value: unknown) =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .filter(([, text]) => typeof text === 'string' && text.length <= 1000)
      .slice(0, 50),
  )

/** @returns its id @throws study.too_many */
export async function insertMaterial(
  db: Db,
  courseId: string,
  { kind, title, url }: { kind: 'link' | 'tool'; title: string; url: string },
): Promise<string> {
  const { count } = await db
    .selectFrom('study_material')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  if (count >= maxMaterials) fail('study.too_many')
  const { id } = await db
    .insertInto('study_material')
    .values({
      course_id: courseId,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from study_material where course_id = ${courseId})`,
      kind,
      title,
      url,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Link = {
  materialId: string
  courseId: string
  target: string
  custom: Record<string, unknown>
  lineItem?: { label: string; points: number; tag: string; resourceId: string } | undefined
}
export async function insertLink(
  db: Db,
  tool: Tool,
  { materialId, courseId, target, custom, lineItem }: Link,
) {
  const assignmentId =
    lineItem && lineItem.points > 0 && lineItem.points <= 100_000
      ? await insertLineItem(db, tool.id, courseId, lineItem)
      : null
  await db
    .insertInto('lti_link')
    .values({
      material_id: materialId,
      tool_id: tool.id,
      target_url: target,
      custom: JSON.stringify(custom),
      assignment_id: assignmentId,
    })
    .execute()
}

/** Creates a gradebook column that the tool fills. */
export async function insertLineItem(
  db: Db,
  toolId: string,
  courseId: string,
  { label, points, tag, resourceId }: NonNullable<Link['lineItem']>,
): Promise<string> {
  const { id } = await db
    .insertInto('study_assignment')
    .values({
      course_id: courseId,
      kind: 'mark',
      title: label,
      points: String(points),
      source: `lti ${toolId}`,
      source_key: crypto.randomUUID(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('lti_line_item')
    .values({ assignment_id: id, tool_id: toolId, tag, resource_id: resourceId })
    .execute()
  return id
}
