import type { Language } from '@atrium/contract/error-texts'
import { demoPassword, demoUsernames, type School, texts } from './central-login-texts.ts'

/** Pages of the central login: plain HTML that works without a script. The style is `central-login.css` of the portal's public folder. */
export type LoginView = {
  language: Language
  school: School
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
    view.school,
    t.title,
    `<h1>${t.title}</h1>
    <p class="intro">${t.intro}</p>
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
    ${view.demo ? demoAccounts(t) : ''}`,
    `<a href="${escapeHtml(switchTo)}" lang="${other === 'zh' ? 'zh-CN' : 'en'}">${t.other}</a>`,
  )
}

const demoAccounts = (t: (typeof texts)[Language]) => `<dl class="demo">
      <dt>${t.demo}</dt>
      <dd>${demoUsernames.map((username) => `<code>${username}</code>`).join(' ')}</dd>
      <dt>${t.demoHint}</dt>
      <dd><code>${demoPassword}</code></dd>
    </dl>`

export function messagePage(
  language: Language,
  school: School,
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
    school,
    heading,
    `<h1>${escapeHtml(heading)}</h1>
    <p class="intro">${escapeHtml(hint)}</p>
    <a class="button" href="/">${t.portal}</a>`,
  )
}

const layout = (
  language: Language,
  school: School,
  title: string,
  body: string,
  aside = '',
) => `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${escapeHtml(school[language])}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/central-login.css">
</head>
<body>
<header>
<img src="${escapeHtml(school.logoUrl || '/icon.svg')}" alt="" width="48" height="48">
<p class="school">${escapeHtml(school[language])}</p>
${aside}
</header>
<main>
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
