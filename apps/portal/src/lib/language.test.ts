import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { documentElement: {} })
vi.stubGlobal('navigator', { languages: ['en-GB'] })
const { chooseLanguage, htmlLang, inLanguage, setLanguage, userTextLang } = await import(
  './language.ts'
)

test.each([
  ['en', ['zh-CN'], 'en'],
  ['zh', ['en-US'], 'zh'],
  [undefined, ['de-DE', 'en-US', 'zh-CN'], 'en'],
  [undefined, ['zh-Hant-TW', 'en'], 'zh'],
  [undefined, ['de-DE'], 'zh'],
  ['fr', [], 'zh'],
] as const)('setting %s, device %j: %s', (setting, device, language) => {
  expect(chooseLanguage(setting, device)).toBe(language)
})

test('content falls back to the other language', () => {
  expect([inLanguage('服务', 'Services'), inLanguage('服务', '')]).toEqual(['Services', '服务'])
  setLanguage('zh')
  expect([htmlLang(), inLanguage('服务', 'Services'), inLanguage('', 'Services')]).toEqual([
    'zh-CN',
    '服务',
    'Services',
  ])
})

test.each([
  ['en', '请早点到', 'zh-CN'],
  ['en', 'Please come early', undefined],
  ['en', 'Re: 第二稿', 'zh-CN'],
  ['zh', 'Please come early', 'en'],
  ['zh', '请早点到', undefined],
  ['zh', 'Moodle', undefined],
  ['zh', '1/2', undefined],
] as const)('with the language %s, the text “%s” gets lang %s', (language, text, lang) => {
  setLanguage(language)
  expect(userTextLang(text)).toBe(lang)
})
