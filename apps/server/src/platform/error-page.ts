import type { IncomingHttpHeaders } from 'node:http'
import { readLook } from '@atrium/rules/look'
import { errorText, type Refusal } from './errors.ts'
import { pageLanguage, rootTag } from './page-look.ts'

const words = {
  zh: { title: '页面没有打开', code: '请求编号', portal: '前往门户' },
  en: { title: 'The page did not open', code: 'Request number', portal: 'Go to the portal' },
}

export const errorPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** For a person whose page failed. It asks the database for nothing, which may be what failed: not even for a name. */
export function errorPage(
  headers: IncomingHttpHeaders,
  { code }: Refusal,
  requestId: string,
): string {
  const language = pageLanguage(undefined, headers)
  const t = words[language]
  return `<!doctype html>
${rootTag(language, readLook(headers.cookie))}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${t.title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/central-login.css">
</head>
<body>
<header><img src="/icon.svg" alt="" width="48" height="48"></header>
<main>
<h1>${t.title}</h1>
<p class="intro">${errorText(code, language)}</p>
<p class="intro">${t.code} ${requestId}</p>
<a class="button" href="/">${t.portal}</a>
</main>
</body>
</html>`
}
