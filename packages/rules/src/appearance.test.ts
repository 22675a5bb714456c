import { expect, test } from 'vitest'
import { type Appearance, appearanceCookie, readAppearance } from './appearance.ts'

const none = { language: '', textSize: 100, scheme: 'system', contrast: 'normal' }
const chosen: Appearance = { language: 'en', textSize: 150, scheme: 'dark', contrast: 'more' }
const cookieOf = (appearance: Appearance) => appearanceCookie(appearance).split(';', 1)[0] as string

test('a written cookie is read back, also among other cookies', () => {
  expect(readAppearance(cookieOf(chosen))).toEqual(chosen)
  expect(readAppearance(`a=1; ${cookieOf(chosen)}; XLOOK-atrium=zh.200.light.normal`)).toEqual(
    chosen,
  )
  const asTheDevice = { ...chosen, language: '' } as const
  expect(readAppearance(cookieOf(asTheDevice))).toEqual(asTheDevice)
})

test('an invalid or missing cookie returns the defaults', () => {
  for (const value of [
    '',
    'zh',
    'zh.150.dark',
    'fr.150.dark.more',
    'zh.151.dark.more',
    'zh.150.dark.more"><b>',
  ])
    expect(readAppearance(`LOOK-atrium=${value}`), value).toEqual(none)
  expect(readAppearance(undefined)).toEqual(none)
})

test('the cookie is limited to the path of the central login', () => {
  expect(appearanceCookie(chosen)).toBe(
    'LOOK-atrium=en.150.dark.more; path=/cas; samesite=lax; max-age=31536000',
  )
})
