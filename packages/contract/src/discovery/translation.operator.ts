import { get, Nullable, OneOf, post, put, Secret, type Static, T } from '../define.ts'
import { translatable } from './translation.ts'

const fields = {
  address: T.String({
    maxLength: 300,
    description:
      'base address of the LibreTranslate-compatible API, such as https://translate.example.edu; texts are sent to /translate below it',
  }),
  enabled: T.Boolean(),
  kinds: T.Array(OneOf(translatable), {
    maxItems: 2,
    description: 'kinds of texts that may be sent; messages may contain personal data',
  }),
  // the service's language code for Chinese
  chinese: OneOf(['zh', 'zh-Hans', 'zh-CN']),
  maxCharacters: T.Integer({
    minimum: 100,
    maximum: 100_000,
    description: 'maximum characters of one text including markup; longer texts are not sent',
  }),
  dailyPerMember: T.Integer({
    minimum: 0,
    maximum: 10_000_000,
    description: 'maximum characters per member and day',
  }),
  dailyCharacters: T.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'maximum characters of all members together per day',
  }),
  seconds: T.Integer({
    minimum: 2,
    maximum: 60,
    description: 'timeout in seconds for the whole answer',
  }),
}
export const TranslationService = T.Object(
  { ...fields, hasKey: T.Boolean(), charactersToday: T.Integer() },
  { $id: 'TranslationService' },
)
export type TranslationService = Static<typeof TranslationService>

export const TranslationTrial = T.Object(
  {
    works: T.Boolean(),
    reason: Nullable(T.String({ description: 'error in one sentence; null if it works' })),
    text: Nullable(T.String({ description: 'translation of 你好' })),
  },
  { $id: 'TranslationTrial' },
)

const operator = { access: 'operator', permission: 'system' } as const

export const translationConsole = {
  read: get('/console-api/v1/translation', {
    ...operator,
    summary: 'Get the settings of the translation service',
    reply: TranslationService,
  }),
  update: put('/console-api/v1/translation', {
    ...operator,
    summary:
      'Update the settings of the translation service; an omitted key is kept for the same host',
    body: T.Object({ ...fields, key: T.Optional(Secret({ maxLength: 1000 })) }),
    reply: TranslationService,
  }),
  test: post('/console-api/v1/translation/test', {
    ...operator,
    summary: 'Test the translation service with one word',
    body: T.Object({}),
    reply: TranslationTrial,
  }),
}
