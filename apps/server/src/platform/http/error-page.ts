import type { IncomingHttpHeaders } from 'node:http'
import { readAppearance } from '@atrium/rules/appearance'
import { html } from '../text/html.ts'
import { errorText, type Refusal } from './errors.ts'
import { pageHead, pageLanguage } from './server-page.ts'

const words = {
  zh: { title: '页面无法打开', code: '请求编号', portal: '前往门户' },
  en: { title: 'This page could not be opened', code: 'Request ID', portal: 'Go to the portal' },
}

export const errorPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** An error page for people. It needs no database, not even for the institution's name: that may be what failed. */
export function errorPage(
  headers: IncomingHttpHeaders,
  { code }: Refusal,
  requestId: string,
): string {
  const language = pageLanguage(undefined, headers)
  const t = words[language]
  return String(html`${pageHead(language, readAppearance(headers.cookie), t.title)}
<body>
<header><img src="/icon.svg" alt="" width="48" height="48"></header>
<main>
<h1>${t.title}</h1>
<p class="intro">${errorText(code, language)}</p>
<p class="intro">${t.code} ${requestId}</p>
<a class="button" href="/">${t.portal}</a>
</main>
</body>
</html>`)
}
