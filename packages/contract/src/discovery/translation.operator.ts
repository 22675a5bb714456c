import { get, Nullable, OneOf, post, put, Secret, type Static, T } from '../define.ts'
import { translatable } from './translation.ts'

const fields = {
  address: T.String({
    maxLength: 300,
    description:
      'of the LibreTranslate-compatible API, such as https://translate.example.edu; texts go to /translate below it',
  }),
  enabled: T.Boolean(),
  kinds: T.Array(OneOf(translatable), {
    maxItems: 2,
    description: 'what may be sent to it; messages hold what concerns one person',
  }),
  // the service's language code for Chinese
  chinese: OneOf(['zh', 'zh-Hans', 'zh-CN']),
  maxCharacters: T.Integer({
    minimum: 100,
    maximum: 100_000,
    description: 'of one text with its markup; longer ones are not sent',
  }),
  dailyPerMember: T.Integer({ minimum: 0, maximum: 10_000_000, description: 'characters a day' }),
  dailyCharacters: T.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'of all members together in a day',
  }),
  seconds: T.Integer({ minimum: 2, maximum: 60, description: 'until the whole answer is there' }),
}
export const TranslationService = T.Object(
  { ...fields, hasKey: T.Boolean(), charactersToday: T.Integer() },
  { $id: 'TranslationService' },
)
export type TranslationService = Static<typeof TranslationService>

export const TranslationTrial = T.Object(
  {
    works: T.Boolean(),
    reason: Nullable(T.String({ description: 'why not, in a sentence' })),
    text: Nullable(T.String({ description: 'what it made of 你好' })),
  },
  { $id: 'TranslationTrial' },
)

const operator = { access: 'operator', permission: 'system' } as const

export const translationConsole = {
  read: get('/console-api/v1/translation', {
    ...operator,
    summary: 'The machine that translates',
    reply: TranslationService,
  }),
  update: put('/console-api/v1/translation', {
    ...operator,
    summary: 'The machine as it is to be from now on; a key that is left out stays',
    body: T.Object({ ...fields, key: T.Optional(Secret({ maxLength: 1000 })) }),
    reply: TranslationService,
  }),
  test: post('/console-api/v1/translation/test', {
    ...operator,
    summary: 'Has one word translated',
    body: T.Object({}),
    reply: TranslationTrial,
  }),
}
