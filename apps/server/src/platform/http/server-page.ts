import type { Language } from '@atrium/contract/error-texts'
import { type Look, readLook } from '@atrium/rules/look'
import { html } from '../text/html.ts'
import { languageOf } from './negotiation.ts'

/** Of a request for a page that the server draws itself. */
type Headers = { cookie?: string | undefined; 'accept-language'?: string | undefined }

/** @param wanted what the address asks for; then comes what the reader has chosen in the portal, then their device */
export const pageLanguage = (wanted: string | undefined, headers: Headers): Language =>
  languageOf([wanted, readLook(headers.cookie).language, headers['accept-language']].join())

const darkSheets = {
  light: undefined,
  dark: html`<link rel="stylesheet" href="/central-login-dark.css">`,
  system: html`<link rel="stylesheet" href="/central-login-dark.css" media="(prefers-color-scheme: dark)">`,
}

/** A page up to its body. Its styles are in the portal's public folder. */
export const pageHead = (
  language: Language,
  { textSize, scheme, contrast }: Look,
  title: string,
) => html`<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}" data-text-size="${textSize}" data-contrast="${contrast}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/central-login.css">
${darkSheets[scheme]}
</head>`
