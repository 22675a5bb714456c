import type { GuideText, ManagedGuide } from '@atrium/contract/services/service-catalogue.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

export async function findGuideText(db: Db, id: string): Promise<ManagedGuide | undefined> {
  const guide = await db
    .selectFrom('service_guide')
    .selectAll()
    .where('service_id', '=', id)
    .executeTakeFirst()
  if (!guide) return undefined
  return {
    serviceId: id,
    intro: guide.intro,
    introEn: guide.intro_en,
    appliesTo: guide.applies_to,
    appliesToEn: guide.applies_to_en,
    place: guide.place,
    placeEn: guide.place_en,
    hours: guide.hours,
    hoursEn: guide.hours_en,
    contact: guide.contact,
    contactEn: guide.contact_en,
    steps: await db
      .selectFrom('service_guide_step')
      .select(['title', 'title_en as titleEn', 'content', 'content_en as contentEn'])
      .where('service_id', '=', id)
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    materials: await db
      .selectFrom('service_guide_material')
      .select(['name', 'name_en as nameEn', 'note', 'note_en as noteEn', 'required', 'copies'])
      .where('service_id', '=', id)
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    attachments: await db
      .selectFrom('service_guide_attachment')
      .select(['name', 'name_en as nameEn', 'file_id as fileId'])
      .where('service_id', '=', id)
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    version: guide.version,
    updatedAt: guide.updated_at,
  }
}

/** Writes the complete guide of a service; the caller holds the service's lock. */
export async function writeGuide(db: Db, id: string, guide: GuideText) {
  const columns = {
    intro: guide.intro,
    intro_en: guide.introEn,
    applies_to: guide.appliesTo,
    applies_to_en: guide.appliesToEn,
    place: guide.place,
    place_en: guide.placeEn,
    hours: guide.hours,
    hours_en: guide.hoursEn,
    contact: guide.contact,
    contact_en: guide.contactEn,
  }
  await db
    .insertInto('service_guide')
    .values({ service_id: id, ...columns })
    .onConflict((conflict) =>
      conflict.column('service_id').doUpdateSet({
        ...columns,
        version: sql`service_guide.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute()
  await db.deleteFrom('service_guide_step').where('service_id', '=', id).execute()
  await db.deleteFrom('service_guide_material').where('service_id', '=', id).execute()
  await db.deleteFrom('service_guide_attachment').where('service_id', '=', id).execute()
  if (guide.steps.length > 0)
    await db
      .insertInto('service_guide_step')
      .values(
        guide.steps.map(({ title, titleEn, content, contentEn }, position) => ({
          service_id: id,
          position,
          title,
          title_en: titleEn,
          content,
          content_en: contentEn,
        })),
      )
      .execute()
  if (guide.materials.length > 0)
    await db
      .insertInto('service_guide_material')
      .values(
        guide.materials.map(({ name, nameEn, note, noteEn, required, copies }, position) => ({
          service_id: id,
          position,
          name,
          name_en: nameEn,
          note,
          note_en: noteEn,
          required,
          copies,
        })),
      )
      .execute()
  if (guide.attachments.length > 0)
    await db
      .insertInto('service_guide_attachment')
      .values(
        guide.attachments.map(({ name, nameEn, fileId }, position) => ({
          service_id: id,
          position,
          name,
          name_en: nameEn,
          file_id: fileId,
        })),
      )
      .execute()
  await db.updateTable('service').set({ have_guide: true }).where('id', '=', id).execute()
}

export async function deleteGuide(db: Db, id: string) {
  await db.deleteFrom('service_guide').where('service_id', '=', id).execute()
  await db.updateTable('service').set({ have_guide: false }).where('id', '=', id).execute()
}
