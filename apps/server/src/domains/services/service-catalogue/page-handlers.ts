import type { servicePages } from '@atrium/contract/services/service-pages.operator'
import { serviceAddressIssue } from '#domains/services/services/address.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { assertNoIssues, changeCatalogue, getOperated } from './change.ts'

const columns = [
  'id',
  'service_id as serviceId',
  'name',
  'name_en as nameEn',
  'words',
  'url',
  'field_name as fieldName',
  'field_name_en as fieldNameEn',
  'version',
] as const

/** Placeholder for the search text in a page's address. */
const placeholder = '{keyWords}'

type Content = {
  name: string
  nameEn: string
  words: string[]
  url: string
  fieldName: string
  fieldNameEn: string
}

/** @throws service.page_elsewhere, request.invalid */
function validatedColumns(content: Content, serviceUrl: string, allow: string | undefined) {
  const sampleUrl = content.url.replaceAll(placeholder, 'a')
  const issue = serviceAddressIssue(sampleUrl, allow)
  const hasSearchField = content.url.includes(placeholder)
  assertNoIssues({
    ...(issue && { url: issue }),
    ...(hasSearchField && !content.fieldName.trim() && { fieldName: 'required' as const }),
  })
  // The member is signed on to the page as to the service, so it must have the service's origin.
  if (siteOf(sampleUrl) !== siteOf(serviceUrl)) fail('service.page_elsewhere')
  return {
    name: content.name.trim(),
    name_en: content.nameEn.trim(),
    words: content.words.map((word) => word.trim()).filter(Boolean),
    url: content.url.trim(),
    field_name: hasSearchField ? content.fieldName.trim() : '',
    field_name_en: hasSearchField ? content.fieldNameEn.trim() : '',
  }
}
const siteOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : 'portal')

/** Locks a page of a service in the operator's scope. @throws service.page_not_found, service.changed_meanwhile */
async function lockPage(db: Db, viewer: Member, id: string, version: number) {
  const row =
    (await db
      .selectFrom('service_page')
      .select(['service_id', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? fail('service.page_not_found')
  const service = await getOperated(db, viewer, row.service_id)
  if (row.version !== version) fail('service.changed_meanwhile')
  return service
}

export const servicePageHandlers: Handlers<typeof servicePages> = {
  async list({ db, viewer, params: { serviceId } }) {
    await getOperated(db, viewer, serviceId)
    return db
      .selectFrom('service_page')
      .select(columns)
      .where('service_id', '=', serviceId)
      .orderBy('id')
      .execute()
  },

  create: ({ platform, viewer, params: { serviceId }, body }) =>
    changeCatalogue(platform, async (db) => {
      const { url } = await getOperated(db, viewer, serviceId)
      return db
        .insertInto('service_page')
        .values({
          service_id: serviceId,
          ...validatedColumns(body, url, platform.env.ATRIUM_OUTBOUND_ALLOW),
        })
        .returning(columns)
        .executeTakeFirstOrThrow()
    }),

  update: ({ platform, viewer, params: { id }, body: { version, ...body } }) =>
    changeCatalogue(platform, async (db) => {
      const { url } = await lockPage(db, viewer, id, version)
      return db
        .updateTable('service_page')
        .set({
          ...validatedColumns(body, url, platform.env.ATRIUM_OUTBOUND_ALLOW),
          version: version + 1,
        })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow()
    }),

  async remove({ platform, viewer, params: { id }, query: { version } }) {
    await changeCatalogue(platform, async (db) => {
      await lockPage(db, viewer, id, version)
      await db.deleteFrom('service_page').where('id', '=', id).execute()
    })
    return null
  },
}
