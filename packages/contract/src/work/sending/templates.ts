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
    own: T.Boolean({ description: 'false: shared by a colleague' }),
    keeper: T.String({ description: 'name of the owner' }),
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
    T.String({
      minLength: 1,
      maxLength: 100,
      description: 'code of an organisation from `places`',
    }),
  ),
  ...texts,
})

/** Reusable texts of senders, and the preview for one recipient. */
export const sendingTemplates = {
  list: get(path, {
    summary: "List the caller's own templates, and those shared with the caller's department",
    access: 'member',
    query: T.Object({ keyWords: T.Optional(T.String({ maxLength: 60 })) }),
    reply: T.Object({
      list: T.Array(SendingTemplate),
      more: T.Boolean(),
      places: T.Array(Place, {
        description: 'organisations the caller may share with: from their own upwards',
      }),
    }),
    errors: ['session.forbidden'],
  }),
  read: get(`${path}/{templateId}`, {
    summary: 'Get a template with its texts',
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
    summary: 'Save a text as a template',
    access: 'member',
    largest: 500_000,
    body,
    reply: T.Object({ templateId: Id }),
    errors: ['session.forbidden', 'sending.templates_full', 'request.invalid'],
  }),
  update: put(`${path}/{templateId}`, {
    summary: "Update one of the caller's templates",
    access: 'member',
    largest: 500_000,
    params,
    body,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.template_not_found', 'request.invalid'],
  }),
  remove: del(`${path}/{templateId}`, {
    summary: "Delete one of the caller's templates",
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.template_not_found'],
  }),
  previewAs: post('/message/center/api/v1/onlineSend/previewAs', {
    summary: 'Preview a message as one of its recipients',
    access: 'member',
    largest: 1_000_000,
    body: T.Object({
      recipients: T.Array(Recipient, { minItems: 1, maxItems: 2000 }),
      at: T.Integer({ minimum: 0, maximum: 10_000, description: 'index of the recipient, from 0' }),
      format: texts.format,
      title: T.String({ maxLength: 200 }),
      titleEn: texts.titleEn,
      content: texts.content,
      contentEn: texts.contentEn,
      variables,
    }),
    reply: T.Object({
      name: T.String({ description: 'name of the recipient; empty: the index is too high' }),
      more: T.Boolean(),
      title: T.String(),
      titleEn: T.String(),
      content: T.String({ description: 'HTML' }),
      contentEn: T.String(),
    }),
    errors: ['session.forbidden'],
  }),
}
