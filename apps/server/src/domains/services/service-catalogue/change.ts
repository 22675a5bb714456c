import type {
  GuideText,
  ServiceContent,
  ServiceTexts,
} from '@atrium/contract/services/service-catalogue.operator'
import { indexServices } from '#domains/services/services/search.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { mayOperate } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { listUsableFiles } from '#platform/storage/file-use.ts'
import { deleteGuide, findGuideText, writeGuide } from './guides.ts'
import {
  columnsOf,
  findManaged,
  findOrganizationPath,
  hasType,
  insertService,
  isNumberTaken,
  type ServiceRow,
  textColumns,
  toRule,
  updateService,
} from './queries.ts'
import {
  guideIssues,
  type Issues,
  normalizeTexts,
  serviceIssues,
  serviceTextIssues,
} from './rules.ts'

/** Changes the catalogue in one transaction, updates the search index and notifies all nodes. */
export function changeCatalogue<T>(platform: Platform, work: (db: Db) => Promise<T>): Promise<T> {
  return platform.db.transaction().execute(async (db) => {
    const result = await work(db)
    await indexServices(db)
    await invalidate(db, 'services')
    return result
  })
}

/** @throws request.invalid with these fields, if any */
export function assertNoIssues(fields: Issues) {
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
}

/** A service in the operator's scope; any other looks like a missing one. @throws service.not_found */
export async function getOperated(
  db: Db,
  viewer: Member,
  id: string,
  options?: { lock: boolean },
): Promise<ServiceRow> {
  const row = await findManaged(db, id, options)
  return row && mayOperate(viewer, 'services', row.organization_path)
    ? row
    : fail('service.not_found')
}

/** As `getOperated`, with the row locked for a change. @throws service.changed_meanwhile */
export async function lockOperated(db: Db, viewer: Member, id: string, version: number) {
  const row = await getOperated(db, viewer, id, { lock: true })
  return row.version === version ? row : fail('service.changed_meanwhile')
}

export async function createService(
  platform: Platform,
  viewer: Member,
  input: ServiceContent,
  online: boolean,
) {
  const content = normalizeTexts(input)
  return changeCatalogue(platform, async (db) => {
    assertNoIssues(await contentIssues(platform, db, viewer, content))
    return (await insertService(db, content, online)) ?? fail('service.number_taken')
  })
}

export async function replaceService(
  platform: Platform,
  viewer: Member,
  id: string,
  input: ServiceContent,
  version: number,
) {
  const content = normalizeTexts(input)
  return changeCatalogue(platform, async (db) => {
    const before = await lockOperated(db, viewer, id, version)
    assertNoIssues(await contentIssues(platform, db, viewer, content, before))
    if (await isNumberTaken(db, content.serviceNo, id)) fail('service.number_taken')
    await updateService(db, id, await columnsOf(db, content))
  })
}

/** Replaces only the texts of a service; the caller has checked permission. */
export async function replaceTexts(
  platform: Platform,
  id: string,
  input: ServiceTexts,
  version: number,
) {
  const texts = normalizeTexts(input)
  assertNoIssues(serviceTextIssues(texts))
  return changeCatalogue(platform, async (db) => {
    const before = await findManaged(db, id, { lock: true })
    if (!before) return fail('service.not_found')
    if (before.version !== version) fail('service.changed_meanwhile')
    await updateService(db, id, textColumns(texts))
  })
}

/** Issues of a service, including the records it refers to. */
async function contentIssues(
  { env }: Platform,
  db: Db,
  viewer: Member,
  content: ServiceContent,
  before?: ServiceRow,
): Promise<Issues> {
  const issues = serviceIssues(content, env.ATRIUM_OUTBOUND_ALLOW)
  const { typeId, organizationId, audience, iconFileId, cardFileId } = content
  if (!(await hasType(db, typeId))) issues.typeId = 'unknown'
  const path = organizationId === null ? null : await findOrganizationPath(db, organizationId)
  if (path === undefined) issues.organizationId = 'unknown'
  // A department's operator cannot move a service out of the department.
  else if (!mayOperate(viewer, 'services', path))
    issues.organizationId = path === null ? 'required' : 'unknown'
  Object.assign(issues, await audienceIssues(db, audience))
  const files = await listUsableFiles(
    db,
    viewer,
    [iconFileId, cardFileId].filter((file) => file !== null),
  )
  for (const [field, file, current] of [
    ['iconFileId', iconFileId, before?.icon_file_id],
    ['cardFileId', cardFileId, before?.card_file_id],
  ] as const)
    if (file !== null && file !== current && !files.get(file)?.startsWith('image/'))
      issues[field] = 'unknown'
  return issues
}

/** Issues of an audience: it must include somebody, and its targets must exist. */
export async function audienceIssues(db: Db, audience: ServiceContent['audience']) {
  const issues: Issues = {}
  const rules = audience.map(toRule)
  if (!rules.some(({ effect }) => effect === 'include')) issues.audience = 'nobody'
  const unknown = await openAudienceCheck(db)
  for (const [index, rule] of rules.entries())
    if (unknown([rule])) issues[`audience.${index}.target`] = 'unknown'
  return issues
}

/** Replaces the guide of a service; the caller has checked permission. */
export async function replaceGuide(
  platform: Platform,
  viewer: Member,
  id: string,
  input: GuideText,
  version: number | null,
) {
  const guide = normalizeTexts(input)
  assertNoIssues(guideIssues(guide))
  return changeCatalogue(platform, async (db) => {
    if (!(await findManaged(db, id, { lock: true }))) fail('service.not_found')
    const before = await findGuideText(db, id)
    if ((before?.version ?? null) !== version) fail('service.changed_meanwhile')
    const currentFileIds = new Set(before?.attachments.map(({ fileId }) => fileId))
    const files = await listUsableFiles(
      db,
      viewer,
      guide.attachments.map(({ fileId }) => fileId),
    )
    assertNoIssues(
      Object.fromEntries(
        guide.attachments.flatMap(({ fileId }, index) =>
          files.has(fileId) || currentFileIds.has(fileId)
            ? []
            : [[`attachments.${index}.fileId`, 'unknown' as const]],
        ),
      ),
    )
    await writeGuide(db, id, guide)
    return (await findGuideText(db, id)) ?? fail('service.no_guide')
  })
}

export const removeGuide = (platform: Platform, viewer: Member, id: string, version: number) =>
  changeCatalogue(platform, async (db) => {
    await getOperated(db, viewer, id, { lock: true })
    const before = await findGuideText(db, id)
    if (!before) return fail('service.no_guide')
    if (before.version !== version) fail('service.changed_meanwhile')
    await deleteGuide(db, id)
  })
