import type { Language } from '@atrium/contract/error-texts'
import { type Look, readLook } from '@atrium/rules/look'
import { languageOf } from './errors.ts'

/** Of a request for a page that the server draws itself. */
type Headers = { cookie?: string | undefined; 'accept-language'?: string | undefined }

/** @param wanted what the address asks for; then comes what the reader has chosen in the portal, then their device */
export const pageLanguage = (wanted: string | undefined, headers: Headers): Language =>
  languageOf([wanted, readLook(headers.cookie).language, headers['accept-language']].join())

/** The root element, by whose attributes `central-login.css` of the portal's public folder knows how the page is to look. */
export const rootTag = (language: Language, { textSize, scheme, contrast }: Look) =>
  `<html lang="${language === 'zh' ? 'zh-CN' : 'en'}" data-text-size="${textSize}" data-scheme="${scheme}" data-contrast="${contrast}">`
