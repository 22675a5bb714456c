import type { Language } from '@atrium/contract/error-texts'
import { useSyncExternalStore } from 'react'
import { overwriteGetLocale } from '#paraglide/runtime.js'
import { read, write } from './storage.ts'

const listeners = new Set<() => void>()
let current = chooseLanguage(read('language'), navigator.languages)
overwriteGetLocale(() => current)
document.documentElement.lang = htmlLang()

/** The setting decides; without one, the device's first supported language; else Chinese. */
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
  // The page is rebuilt: an element with an id that had the focus gets it back.
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

/** The reader's version of bilingual content, or the other one if that is empty. */
export function inLanguage(chinese: string, english: string) {
  return current === 'en' ? english || chinese : chinese || english
}

/** The `lang` of bilingual content, if it is not in the reader's language. */
export function foreignLang(chinese: string, english: string) {
  if (current === 'en') return english ? undefined : 'zh-CN'
  return chinese ? undefined : 'en'
}

/** The `lang` of a text written by a user, if it is not in the reader's language. */
export function userTextLang(text: string) {
  const isChinese = /\p{Script=Han}/u.test(text)
  if (current === 'en') return isChinese ? 'zh-CN' : undefined
  // Two words in a row: a single name or abbreviation does not make a text English.
  return !isChinese && /\p{Script=Latin}{2}\S*\s+\p{Script=Latin}{2}/u.test(text) ? 'en' : undefined
}
