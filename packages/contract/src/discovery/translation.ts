import { get, Id, OneOf, post, type Static, T } from '../define.ts'

/** Content that may be machine-translated, for readers with access to it. */
export const translatable = ['article', 'message'] as const

export const TranslationStatus = T.Object(
  {
    kinds: T.Array(OneOf(translatable), {
      description: 'kinds of texts that can be translated; empty: none',
    }),
    host: T.String({ description: 'where the service runs, as shown to members' }),
  },
  { $id: 'TranslationStatus' },
)
export type TranslationStatus = Static<typeof TranslationStatus>

export const Translation = T.Object(
  {
    title: T.String({
      description: 'plain text; empty if the original has a title in the language',
    }),
    lead: T.String({ description: 'plain text, or empty' }),
    content: T.String({ description: 'sanitised HTML, or empty' }),
    host: T.String({ description: 'where the service that translated it runs' }),
  },
  { $id: 'Translation' },
)
export type Translation = Static<typeof Translation>

export const translation = {
  status: get('/portal-api/v1/translation', {
    summary: 'Get whether texts can be translated by machine, and which',
    access: 'member',
    reply: TranslationStatus,
  }),
  translate: post('/portal-api/v1/translation', {
    summary:
      'Translate a text that has no version in the language; the result is stored for other readers',
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
