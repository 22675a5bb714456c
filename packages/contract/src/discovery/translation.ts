import { get, Id, OneOf, post, type Static, T } from '../define.ts'

/** Content that may be machine-translated, for readers with access to it. */
export const translatable = ['article', 'message'] as const

export const TranslationStatus = T.Object(
  {
    kinds: T.Array(OneOf(translatable), { description: 'what is offered; empty: nothing' }),
    host: T.String({ description: 'where the machine runs, as members may know it' }),
  },
  { $id: 'TranslationStatus' },
)
export type TranslationStatus = Static<typeof TranslationStatus>

export const Translation = T.Object(
  {
    title: T.String({
      description: 'plain text; empty where the original has one in the language',
    }),
    lead: T.String({ description: 'plain text, or empty' }),
    content: T.String({ description: 'sanitised HTML, or empty' }),
    host: T.String({ description: 'where the machine runs that translated it' }),
  },
  { $id: 'Translation' },
)
export type Translation = Static<typeof Translation>

export const translation = {
  status: get('/portal-api/v1/translation', {
    summary: 'Whether a machine translates, and what',
    access: 'member',
    reply: TranslationStatus,
  }),
  translate: post('/portal-api/v1/translation', {
    summary: 'What has no version in a language, in that language; kept for whoever reads it next',
    access: 'member',
    body: T.Object({ kind: OneOf(translatable), id: Id, to: OneOf(['zh', 'en']) }),
    reply: Translation,
    errors: [
      'translation.off',
      'translation.not_needed',
      'translation.too_long',
      'translation.used_up',
      'translation.down',
      'translation.slow',
      'translation.not_usable',
      'news.not_found',
      'message.not_found',
    ],
  }),
}
