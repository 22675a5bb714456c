import type { Language } from '@atrium/contract/error-texts'
import { type Appearance, readAppearance } from '@atrium/rules/appearance'
import { html } from '../text/html.ts'
import { languageOf } from './negotiation.ts'

/** Headers of a request for a page rendered by the server. */
type Headers = { cookie?: string | undefined; 'accept-language'?: string | undefined }

/** @param wanted language from the address; falls back to the choice made in the portal, then to the browser's */
export const pageLanguage = (wanted: string | undefined, headers: Headers): Language =>
  languageOf([wanted, readAppearance(headers.cookie).language, headers['accept-language']].join())

const darkSheets = {
  light: undefined,
  dark: html`<link rel="stylesheet" href="/central-login-dark.css">`,
  system: html`<link rel="stylesheet" href="/central-login-dark.css" media="(prefers-color-scheme: dark)">`,
}

/** A page up to its body. Its stylesheets are in the portal's public folder. */
export const pageHead = (
  language: Language,
  { textSize, scheme, contrast }: Appearance,
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
