import type { Language } from '@atrium/contract/error-texts'
import { type SchoolNames, texts } from './central-login-texts.ts'

/** Pages of the central login: plain HTML that works without a script. The style is `central-login.css` of the portal's public folder. */
export type LoginView = {
  language: Language
  names: SchoolNames
  service: string | undefined
  lt: string
  username?: string | undefined
  error?: string
  retryAfter?: number | undefined
  demo: boolean
}

export function loginPage(view: LoginView): string {
  const t = texts[view.language]
  const other = view.language === 'zh' ? 'en' : 'zh'
  const switchTo = `/cas/login?lang=${other}${view.service ? `&service=${encodeURIComponent(view.service)}` : ''}`
  const problem = view.error
    ? `<p class="problem" id="problem" role="alert">${escapeHtml(view.error)}${view.retryAfter ? ` · ${escapeHtml(t.retry(view.retryAfter))}` : ''}</p>`
    : ''
  const described = view.error ? ' aria-describedby="problem" aria-invalid="true"' : ''
  return layout(
    view.language,
    view.names,
    t.title,
    `<h1>${t.title}</h1>
    ${problem}
    <form method="post" action="/cas/login">
      <input type="hidden" name="lt" value="${escapeHtml(view.lt)}">
      <input type="hidden" name="lang" value="${view.language}">
      ${view.service ? `<input type="hidden" name="service" value="${escapeHtml(view.service)}">` : ''}
      <label for="username">${t.username}</label>
      <input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100" value="${escapeHtml(view.username ?? '')}"${described}${view.username ? '' : ' autofocus'}>
      <label for="password">${t.password}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200"${described}${view.username ? ' autofocus' : ''}>
      <button type="submit">${t.submit}</button>
    </form>
    ${view.demo ? `<p class="demo"><span>${escapeHtml(t.demo('student · teacher · staff · admin'))}</span><span>${t.demoHint}</span></p>` : ''}
    <p class="other"><a href="${escapeHtml(switchTo)}" lang="${other === 'zh' ? 'zh-CN' : 'en'}">${t.other}</a></p>`,
  )
}

export function messagePage(
  language: Language,
  names: SchoolNames,
  message:
    | { kind: 'signed-in'; name: string }
    | { kind: 'signed-out' }
    | { kind: 'refused'; text: string },
): string {
  const t = texts[language]
  const [heading, hint] =
    message.kind === 'signed-in'
      ? [t.signedIn(message.name), t.signedInHint]
      : message.kind === 'signed-out'
        ? [t.signedOut, t.signedOutHint]
        : [t.refused, message.text]
  return layout(
    language,
    names,
    heading,
    `<h1>${escapeHtml(heading)}</h1><p>${escapeHtml(hint)}</p><p><a class="button" href="/">${t.portal}</a></p>`,
  )
}

const layout = (
  language: Language,
  names: SchoolNames,
  title: string,
  body: string,
) => `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${escapeHtml(names[language])}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/central-login.css">
</head>
<body>
<main>
<p class="school">${escapeHtml(names[language])}</p>
${body}
</main>
</body>
</html>`

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
