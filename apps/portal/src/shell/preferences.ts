import { type Appearance, appearanceCookie } from '@atrium/rules/appearance'
import { onLanguageChange } from '#lib/language.ts'
import { read, remove, write } from '#lib/storage.ts'

export const textSizes = [100, 115, 130, 150, 175, 200] as const

/** Text size in percent of the device's own. */
export const getTextSize = () => read('textSize') ?? 100
export function setTextSize(percent: number) {
  write('textSize', percent)
  applyPreferences()
}

export const getMoreContrast = () => read('contrast') === 'more'
export function setMoreContrast(more: boolean) {
  if (more) write('contrast', 'more')
  else remove('contrast')
  applyPreferences()
}

export type Scheme = Appearance['scheme']
export const getScheme = (): Scheme => read('scheme') ?? 'system'
export function setScheme(scheme: Scheme) {
  if (scheme === 'system') remove('scheme')
  else write('scheme', scheme)
  applyPreferences()
}
const deviceDark = matchMedia('(prefers-color-scheme: dark)')
deviceDark.addEventListener('change', () => applyPreferences())
onLanguageChange(() => applyPreferences())

export function applyPreferences() {
  const root = document.documentElement
  const textSize = Math.min(200, Math.max(100, getTextSize()))
  root.style.fontSize = `${textSize}%`
  root.toggleAttribute('data-contrast', false)
  if (getMoreContrast()) root.setAttribute('data-contrast', 'more')
  const scheme = getScheme()
  root.dataset.scheme = scheme === 'system' ? (deviceDark.matches ? 'dark' : 'light') : scheme
  const contrast = getMoreContrast() ? 'more' : 'normal'
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the other way
  document.cookie = appearanceCookie({
    language: read('language') ?? '',
    textSize,
    scheme,
    contrast,
  })
}
