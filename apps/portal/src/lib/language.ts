import type { Language } from '@atrium/contract/error-texts'
import { useSyncExternalStore } from 'react'
import { overwriteGetLocale } from '#paraglide/runtime.js'
import { read, write } from './storage.ts'

const listeners = new Set<() => void>()
let current = chooseLanguage(read('language'), navigator.languages)
overwriteGetLocale(() => current)
document.documentElement.lang = htmlLang()

/** The setting decides; without one, the first language of the device that we speak; else Chinese. */
export function chooseLanguage(setting: string | undefined, device: readonly string[]): Language {
  if (setting === 'zh' || setting === 'en') return setting
  const known = device.find((tag) => /^(zh|en)\b/i.test(tag))
  return known?.toLowerCase().startsWith('en') ? 'en' : 'zh'
}

export const getLanguage = () => current

export function setLanguage(language: Language) {
  const focused = document.activeElement?.id
  write('language', language)
  current = language
  document.documentElement.lang = htmlLang()
  for (const listener of listeners) listener()
  // The page is built anew: what had the focus, if it has an id, gets it back.
  if (focused) setTimeout(() => document.getElementById(focused)?.focus())
}

export function onLanguageChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useLanguage = () => useSyncExternalStore(onLanguageChange, getLanguage, getLanguage)

/** The tag for `lang` attributes and Intl. */
export function htmlLang() {
  return current === 'zh' ? 'zh-CN' : 'en'
}

/** Content that comes in two languages: the reader's, or the other where that one is empty. */
export function inLanguage(chinese: string, english: string) {
  return current === 'en' ? english || chinese : chinese || english
}

/** The `lang` of such content where it is not in the reader's language. */
export function foreignLang(chinese: string, english: string) {
  if (current === 'en') return english ? undefined : 'zh-CN'
  return chinese ? undefined : 'en'
}

/** The `lang` of a text that somebody wrote, in whichever language, where that is not the reader's. */
export function writtenLang(text: string) {
  const isChinese = /\p{Script=Han}/u.test(text)
  if (current === 'en') return isChinese ? 'zh-CN' : undefined
  // Two words in a row: a name or an abbreviation alone is no English.
  return !isChinese && /\p{Script=Latin}{2}\S*\s+\p{Script=Latin}{2}/u.test(text) ? 'en' : undefined
}
