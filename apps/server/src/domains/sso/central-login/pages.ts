import { hash } from 'node:crypto'
import type { Language } from '@atrium/contract/error-texts'
import { releasable, usernameWords } from '@atrium/contract/sso/registry'
import { demoPassword, demoUsernames } from '#domains/identity/identity/demo-accounts.ts'
import type { Party } from '#domains/sso/registry/parties.ts'
import { pageHead } from '#platform/http/server-page.ts'
import { type Html, html, trustedHtml } from '#platform/text/html.ts'
import { type Frame, texts } from './texts.ts'

/**
 * The login page. Pages of the central login are plain HTML without scripts, styled by `central-login.css` in the
 * portal's public folder.
 */
export type LoginView = {
  frame: Frame
  service: string | undefined
  /** the service's name, unless it is the portal */
  serviceName: string | undefined
  method: string | undefined
  saml: boolean
  renew: boolean
  lt: string
  warn: boolean
  /** days; 0: not offered */
  rememberDays: number
  /** the choice made before an error */
  remember?: boolean
  username?: string | undefined
  error?: string
  /** whether the error is caused by the input */
  wrong?: boolean
  retryAfter?: number | undefined
  demo: boolean
  /** fragment for pages of the portal: the address to return to */
  back: string
  /** whether the portal's page offers methods that need a script */
  otherWays: boolean
  /** external identity providers: name and start address */
  outside: readonly { name: string; href: string }[]
}

export function loginPage(view: LoginView): string {
  const { language } = view.frame
  const t = texts[language]
  const other = language === 'zh' ? 'en' : 'zh'
  const switchTo = `/cas/login?${new URLSearchParams({ lang: other, ...(view.service && { [view.saml ? 'TARGET' : 'service']: view.service }), ...(view.method && { method: view.method }), ...(view.renew && { renew: 'true' }) })}`
  const problem = view.error
    ? html`<p class="problem" id="problem" role="alert">${view.error}${view.retryAfter ? ` · ${t.retry(view.retryAfter)}` : ''}</p>`
    : ''
  const described = view.error
    ? html` aria-describedby="problem"${view.wrong && html` aria-invalid="true"`}`
    : undefined
  return layout(
    view.frame,
    t.title,
    html`<h1>${t.title}</h1>
    <p class="intro">${view.serviceName ? t.goingTo(view.serviceName) : t.intro}</p>
    ${problem}
    <form method="post" action="/cas/login">
      <input type="hidden" name="lt" value="${view.lt}">
      <input type="hidden" name="lang" value="${language}">
      ${target(view)}
      ${view.renew && html`<input type="hidden" name="renew" value="true">`}
      <label for="username">${t.username}</label>
      <input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100" value="${view.username ?? ''}"${described}${view.username ? '' : ' autofocus'}>
      <label for="password">${t.password}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200"${described}${view.username ? ' autofocus' : ''}>
      ${view.rememberDays > 0 && checkbox('rememberMe', t.remember(view.rememberDays), view.remember ?? false)}
      ${checkbox('warn', t.warn, view.warn)}
      <button type="submit">${t.submit}</button>
    </form>
    <p class="forgotten"><a href="/pages/login/forgotten#${view.back}">${t.forgotten}</a><a href="/pages/login/activate#${view.back}">${t.activate}</a></p>
    ${view.otherWays && html`<a class="button outside" href="/pages/login/login#${view.back}">${t.otherWays}</a>`}
    ${view.outside.map(({ name, href }) => html`<a class="button outside" href="${href}">${name}</a>`)}
    ${agreement(t.agreeTo)}
    ${view.demo && demoAccounts(t)}`,
    html`<a href="${switchTo}" lang="${other === 'zh' ? 'zh-CN' : 'en'}">${t.other}</a>`,
  )
}

const target = ({
  service,
  method,
  saml,
}: {
  service: string | undefined
  method?: string | undefined
  saml?: boolean
}) =>
  html`${service && html`<input type="hidden" name="${saml ? 'TARGET' : 'service'}" value="${service}">`}${method && html`<input type="hidden" name="method" value="${method}">`}`

const checkbox = (name: string, text: string, checked: boolean) =>
  html`<label class="check"><input type="checkbox" name="${name}" value="true"${checked ? ' checked' : ''}> ${text}</label>`

export type ConfirmView = {
  frame: Frame
  service: string
  method: string | undefined
  saml?: boolean
  party: Party
  name: string
  lt: string
  /** whether it receives the username; default true */
  withUsername?: boolean
  /** whether it may keep access after the session has ended */
  offline?: boolean
  /** the form's action; default: the central login */
  action?: string
}

/** Asks for consent: what a service receives, and for what purpose. */
export function consentPage(view: ConfirmView): string {
  const { frame, party } = view
  const { language } = frame
  const t = texts[language]
  const title = t.consent(nameOf(party, language))
  const purpose = language === 'zh' ? party.purpose : party.purposeEn
  const told = [
    ...(view.withUsername === false ? [] : [usernameWords]),
    ...party.attributes.map((attribute) => releasable[attribute]),
  ]
  return layout(
    frame,
    title,
    html`<h1>${title}</h1>
    <p class="intro">${t.consentIntro(view.name)}</p>
    <ul class="told">
${told.map((words) => html`      <li>${words[language].title}<span>${words[language].reason}</span></li>`)}
    </ul>
    ${view.offline && html`<p class="purpose">${t.offline}</p>`}
    ${purpose ? html`<p class="purpose"><strong>${t.purpose}</strong> ${purpose}</p>` : ''}
    ${decision(view, t.agree, t.decline)}
    <p class="intro">${t.consentHint}</p>`,
  )
}

/** For members who want to confirm each sign-in to a service. */
export function warningPage(view: ConfirmView): string {
  const { language } = view.frame
  const t = texts[language]
  const title = t.warned(nameOf(view.party, language))
  return layout(
    view.frame,
    title,
    html`<h1>${title}</h1>
    <p class="intro">${t.warnedHint(view.name)}</p>
    ${decision(view, t.go, t.stay)}`,
  )
}

const decision = (
  view: ConfirmView,
  yes: string,
  no: string,
) => html`<form method="post" action="${view.action ?? '/cas/confirm'}">
      <input type="hidden" name="lt" value="${view.lt}">
      <input type="hidden" name="lang" value="${view.frame.language}">
      ${target(view)}
      <button type="submit" name="decision" value="go">${yes}</button>
      <button type="submit" name="decision" value="no" class="second">${no}</button>
    </form>`

/**
 * Asks a member who signs out of a service whether to end the whole session.
 * @param form the form to submit, without buttons
 */
export function logoutPage(frame: Frame, { form, id }: { form: string; id: string }): string {
  const t = texts[frame.language]
  return layout(
    frame,
    t.logout,
    html`<h1>${t.logout}</h1>
    <p class="intro">${t.logoutHint}</p>
    ${trustedHtml(form)}
    <button type="submit" form="${id}" name="logout" value="yes" autofocus>${t.logoutYes}</button>
    <button type="submit" form="${id}" class="second">${t.logoutNo}</button>`,
  )
}

/** Asks the same after a redirect to the central logout, which any site can cause. */
export function leavePage(
  frame: Frame,
  { service, lt }: { service: string | undefined; lt: string },
): string {
  const t = texts[frame.language]
  return layout(
    frame,
    t.logout,
    html`<h1>${t.logout}</h1>
    <p class="intro">${t.logoutHint}</p>
    <form method="post" action="/cas/logout">
      <input type="hidden" name="lt" value="${lt}">
      <input type="hidden" name="lang" value="${frame.language}">
      ${target({ service })}
      <button type="submit" name="decision" value="go" autofocus>${t.logoutYes}</button>
      ${service ? html`<button type="submit" name="decision" value="no" class="second">${t.logoutNo}</button>` : ''}
    </form>`,
  )
}

/** Submits the page's form. Allowed by its hash in the page's policy. */
export const postScript = 'document.forms[0].submit()'

/** Posts the ticket to services that want it in a form. Submits itself; without scripts there is a button. */
export function postPage(
  frame: Frame,
  { action, name, field, ticket }: { action: string; name: string; field: string; ticket: string },
): string {
  const t = texts[frame.language]
  const title = t.post(name)
  return layout(
    frame,
    title,
    html`<h1>${title}</h1>
    <p class="intro">${t.postHint}</p>
    <form method="post" action="${action}">
      <input type="hidden" name="${field}" value="${ticket}">
      <button type="submit" autofocus>${t.go}</button>
    </form>
    <script>${trustedHtml(postScript)}</script>`,
  )
}

/**
 * @param leadsTo address that the form's response may redirect to; browsers apply `form-action` to redirects too
 * @param script the only script that may run
 */
export const pagePolicy = (leadsTo?: string, script?: string) =>
  `default-src 'none'; ${script ? `script-src 'sha256-${hash('sha256', script, 'base64')}'; ` : ''}style-src 'self'; img-src 'self'; form-action 'self'${leadsTo ? ` ${new URL(leadsTo).origin}` : ''}; frame-ancestors 'none'; base-uri 'none'`

export const nameOf = (party: Party, language: Language) =>
  language === 'zh' ? party.name : party.nameEn

const agreement = ([agree, terms, and, privacy]: readonly string[]) =>
  html`<p class="texts">${agree}<a href="/pages/login/userAgreement">${terms}</a>${and}<a href="/pages/login/userPrivacy">${privacy}</a></p>`

const demoAccounts = (t: (typeof texts)[Language]) => html`<dl class="demo">
      <div><dt>${t.demo}</dt> <dd>${demoUsernames.map((username) => html`<code>${username}</code>`)}</dd></div>
      <div><dt>${t.demoHint}</dt> <dd><code>${demoPassword}</code></dd></div>
    </dl>`

export function messagePage(
  frame: Frame,
  message:
    | { kind: 'signed-in'; name: string }
    | { kind: 'signed-out' }
    | { kind: 'refused'; text: string }
    | { kind: 'declined' | 'stayed'; service: string },
): string {
  const t = texts[frame.language]
  const words = {
    'signed-in': () => [t.signedIn('name' in message ? message.name : ''), t.signedInHint],
    'signed-out': () => [t.signedOut, t.signedOutHint],
    refused: () => [t.refused, 'text' in message ? message.text : ''],
    declined: () => [t.declined, t.declinedHint('service' in message ? message.service : '')],
    stayed: () => [t.stayed, t.stayedHint('service' in message ? message.service : '')],
  }
  const [heading = '', hint = ''] = words[message.kind]()
  return layout(
    frame,
    heading,
    html`<h1>${heading}</h1>
    <p class="intro">${hint}</p>
    <a class="button" href="/">${t.portal}</a>`,
  )
}

const layout = (
  { language, school, logoUrl, appearance }: Frame,
  title: string,
  body: Html,
  aside?: Html,
) =>
  String(html`${pageHead(language, appearance, `${title} · ${school}`)}
<body>
<header>
<img src="${logoUrl || '/icon.svg'}" alt="" width="48" height="48">
<p class="school">${school}</p>
${aside}
</header>
<main>
${body}
</main>
</body>
</html>`)
