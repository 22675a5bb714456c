import { del, get, Id, Nullable, post, put, type Static, T } from '../../define.ts'
import { Recipient } from '../sending.ts'
import { Place } from './recipients.ts'
import { sendingTexts } from './texts.ts'

const { variables, ...texts } = sendingTexts
const name = T.String({ minLength: 1, maxLength: 60, pattern: '\\S' })

export const SendingTemplate = T.Object(
  {
    templateId: Id,
    name: T.String(),
    own: T.Boolean({ description: 'false: a colleague keeps it and shares it' }),
    keeper: T.String({ description: 'who keeps it' }),
    keeperEn: T.String(),
    sharedWith: Nullable(Place),
    kind: texts.kind,
    title: T.String(),
    titleEn: T.String(),
  },
  { $id: 'SendingTemplate' },
)
export type SendingTemplate = Static<typeof SendingTemplate>

const path = '/message/center/api/v1/onlineSend/templates'
const params = T.Object({ templateId: Id })
const body = T.Object({
  name,
  sharedWith: Nullable(
    T.String({ minLength: 1, maxLength: 100, description: 'an organisation of `places`' }),
  ),
  ...texts,
})

/** Reusable texts of senders, and the preview for one recipient. */
export const sendingTemplates = {
  list: get(path, {
    summary: 'Templates: the caller’s own, and those shared with their department',
    access: 'member',
    query: T.Object({ keyWords: T.Optional(T.String({ maxLength: 60 })) }),
    reply: T.Object({
      list: T.Array(SendingTemplate),
      more: T.Boolean(),
      places: T.Array(Place, { description: 'with whom the caller may share: from their own up' }),
    }),
    errors: ['session.forbidden'],
  }),
  read: get(`${path}/{templateId}`, {
    summary: 'A template with its texts',
    access: 'member',
    params,
    reply: T.Interface([SendingTemplate], {
      format: texts.format,
      content: T.String(),
      contentEn: T.String(),
    }),
    errors: ['session.forbidden', 'sending.template_not_found'],
  }),
  create: post(path, {
    summary: 'Keep a text as a template of the caller’s own',
    access: 'member',
    largest: 500_000,
    body,
    reply: T.Object({ templateId: Id }),
    errors: ['session.forbidden', 'sending.templates_full', 'request.invalid'],
  }),
  update: put(`${path}/{templateId}`, {
    summary: 'Change a template of the caller’s own',
    access: 'member',
    largest: 500_000,
    params,
    body,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.template_not_found', 'request.invalid'],
  }),
  remove: del(`${path}/{templateId}`, {
    summary: 'No such template of the caller’s own any more',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.template_not_found'],
  }),
  previewAs: post('/message/center/api/v1/onlineSend/previewAs', {
    summary: 'What one of the recipients will read',
    access: 'member',
    largest: 1_000_000,
    body: T.Object({
      recipients: T.Array(Recipient, { minItems: 1, maxItems: 2000 }),
      at: T.Integer({ minimum: 0, maximum: 10_000, description: 'which of them, from 0' }),
      format: texts.format,
      title: T.String({ maxLength: 200 }),
      titleEn: texts.titleEn,
      content: texts.content,
      contentEn: texts.contentEn,
      variables,
    }),
    reply: T.Object({
      name: T.String({ description: 'whose copy it is; empty: there are not so many' }),
      more: T.Boolean(),
      title: T.String(),
      titleEn: T.String(),
      content: T.String({ description: 'HTML' }),
      contentEn: T.String(),
    }),
    errors: ['session.forbidden'],
  }),
}
