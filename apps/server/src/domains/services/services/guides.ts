import type { Guide } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Pictures } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import type { ServiceRow } from './queries.ts'

/** The configured guide screen; undefined if guides are off. */
export async function guideScreen(platform: Platform): Promise<string | undefined> {
  const { ENV_SHOW_GUIDE } = await currentSettings(platform)
  if (ENV_SHOW_GUIDE === '1') return '/pages/service/newGuide'
  return ENV_SHOW_GUIDE === '2' ? '/pages/service/serviceGuide' : undefined
}

/** Why no guide is shown before this service; undefined if one is. */
export async function guideHiddenReason(
  platform: Platform,
  viewer: Viewer,
  service: Pick<ServiceRow, 'id' | 'have_guide'>,
): Promise<'off' | 'none' | 'dismissed' | 'visitor' | undefined> {
  if (!service.have_guide) return 'none'
  if (!(await guideScreen(platform))) return 'off'
  // The guide screens are for members only.
  if (!viewer.signedIn) return 'visitor'
  return (await isDismissed(platform.db, viewer.accountId, service.id)) ? 'dismissed' : undefined
}

export async function isDismissed(db: Db, accountId: string, serviceId: string) {
  const row = await db
    .selectFrom('service_guide_alert')
    .select('service_id')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  return row !== undefined
}

export const insertDismissal = (db: Db, accountId: string, serviceId: string) =>
  db
    .insertInto('service_guide_alert')
    .values({ account_id: accountId, service_id: serviceId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteDismissal = (db: Db, accountId: string, serviceId: string) =>
  db
    .deleteFrom('service_guide_alert')
    .where('account_id', '=', accountId)
    .where('service_id', '=', serviceId)
    .execute()

/** The guide of a service the viewer may use; undefined if it has none. */
export async function findGuide(
  platform: Platform,
  pictures: Pictures,
  service: ServiceRow,
): Promise<Guide | undefined> {
  const { db, files } = platform
  const serviceId = service.id
  const [guide, steps, materials, attachments] = await Promise.all([
    db
      .selectFrom('service_guide')
      .selectAll()
      .where('service_id', '=', serviceId)
      .executeTakeFirst(),
    db
      .selectFrom('service_guide_step')
      .select(['title', 'title_en as titleEn', 'content', 'content_en as contentEn'])
      .where('service_id', '=', serviceId)
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    db
      .selectFrom('service_guide_material')
      .select(['name', 'name_en as nameEn', 'note', 'note_en as noteEn', 'required', 'copies'])
      .where('service_id', '=', serviceId)
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    db
      .selectFrom('service_guide_attachment as attachment')
      .innerJoin('file', 'file.id', 'attachment.file_id')
      .select([
        'attachment.name',
        'attachment.name_en',
        'file.id',
        'file.is_public',
        'file.media_type',
        sql<number>`file.byte_size::float8`.as('byte_size'),
      ])
      .where('attachment.service_id', '=', serviceId)
      .orderBy('attachment.position')
      .orderBy('attachment.id')
      .limit(100)
      .execute(),
  ])
  if (!service.have_guide || !guide) return undefined
  return {
    serviceId,
    serviceName: service.name,
    serviceNameEn: service.name_en,
    icon: { glyph: service.glyph, tone: service.tone as Guide['icon']['tone'] },
    iconUrl: pictures.address('icon', {
      id: service.icon_id,
      is_public: service.icon_public,
      media_type: service.icon_type,
    }),
    departmentName: service.department ?? '',
    departmentNameEn: service.department_en ?? '',
    intro: guide.intro,
    introEn: guide.intro_en,
    appliesTo: guide.applies_to,
    appliesToEn: guide.applies_to_en,
    place: guide.place,
    placeEn: guide.place_en,
    hours: guide.hours || service.hours,
    hoursEn: guide.hours_en,
    contact: guide.contact || service.contact,
    contactEn: guide.contact_en,
    steps,
    materials,
    attachments: attachments.map(({ id, is_public, name, name_en, media_type, byte_size }) => ({
      name,
      nameEn: name_en,
      url: files.address({ id, is_public }),
      mediaType: media_type,
      byteSize: byte_size,
    })),
    updatedAt: guide.updated_at,
  }
}
