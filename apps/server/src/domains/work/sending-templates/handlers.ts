import type { sendingTemplates } from '@atrium/contract/work/sending/templates'
import { substituteVariables } from '@atrium/rules/messages/variables'
import { listSharingOrganizations } from '#domains/work/recipients/queries.ts'
import { findRecipientAt } from '#domains/work/sending/recipients.ts'
import { filterRecipients, getSender, getSendingScope } from '#domains/work/sending/senders.ts'
import { compose, valuesOf } from '#domains/work/sending/texts.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { cleanRichText } from '#platform/text/rich-text.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  updateTemplate,
} from './queries.ts'

const maxTemplates = 100

export const sendingTemplateHandlers: Handlers<typeof sendingTemplates> = {
  async list({ db, viewer, query: { keyWords } }) {
    await getSendingScope(db, viewer)
    const [templates, places] = await Promise.all([
      listTemplates(db, viewer, keyWords),
      listSharingOrganizations(db, viewer),
    ])
    return { ...templates, places: places.map(({ id: _, ...place }) => place) }
  },

  async read({ db, viewer, params: { templateId } }) {
    await getSendingScope(db, viewer)
    return (await findTemplate(db, viewer, templateId)) ?? fail('sending.template_not_found')
  },

  create: ({ platform, viewer, body: { sharedWith, ...fields } }) =>
    platform.db.transaction().execute(async (db) => {
      await getSendingScope(db, viewer)
      const placeId = await organizationIdOf(db, viewer, sharedWith)
      const inserted = await insertTemplate(db, viewer, fields, placeId, maxTemplates)
      return inserted ?? fail('sending.templates_full')
    }),

  update: ({ platform, viewer, params: { templateId }, body: { sharedWith, ...fields } }) =>
    platform.db.transaction().execute(async (db) => {
      await getSendingScope(db, viewer)
      const placeId = await organizationIdOf(db, viewer, sharedWith)
      if (!(await updateTemplate(db, viewer, templateId, fields, placeId)))
        fail('sending.template_not_found')
      return null
    }),

  async remove({ db, viewer, params: { templateId } }) {
    await getSendingScope(db, viewer)
    if (!(await deleteTemplate(db, viewer, templateId))) fail('sending.template_not_found')
    return null
  },

  async previewAs({ platform, db, viewer, body: { recipients: requested, at, ...body } }) {
    const sender = await getSender(db, viewer)
    const { recipients } = await filterRecipients(platform, sender, viewer, requested, [])
    const text = compose({ ...body, title_en: body.titleEn, content_en: body.contentEn })
    const values = valuesOf(text)
    const { found, more } = await findRecipientAt(db, recipients, sender.within, at, values)
    const memberValues = found?.values ?? text.fallbacks
    return {
      name: found?.name ?? '',
      more,
      title: substituteVariables(text.title, memberValues),
      titleEn: substituteVariables(text.title_en, memberValues, { english: true }),
      content: cleanRichText(substituteVariables(text.content, memberValues, { html: true })),
      contentEn: cleanRichText(
        substituteVariables(text.content_en, memberValues, { html: true, english: true }),
      ),
    }
  },
}

/** @throws request.invalid for a department the sender may not share with */
async function organizationIdOf(
  db: Db,
  viewer: Member,
  code: string | null,
): Promise<string | null> {
  if (code === null) return null
  const place = (await listSharingOrganizations(db, viewer)).find(
    ({ ins_code }) => ins_code === code,
  )
  return place?.id ?? fail('request.invalid', { fields: { sharedWith: 'choice' } })
}
