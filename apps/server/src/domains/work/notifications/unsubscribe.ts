import { readAppearance } from '@atrium/rules/appearance'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { pageHead, pageLanguage } from '#platform/http/server-page.ts'
import type { Platform } from '#platform/platform.ts'
import { type Html, html } from '#platform/text/html.ts'

const purpose = 'unsubscribe'

/** One-click unsubscribe link for mails of a kind to an account. */
export function unsubscribeAddress(
  { origin, secret }: Platform,
  accountId: string,
  kindId: string,
) {
  const subject = `${accountId}.${kindId}`
  return `${origin()}/message/unsubscribe/${subject}.${secret.sign(purpose, subject)}`
}

/** The account and kind of a valid token; otherwise undefined. */
function readToken({ secret }: Platform, token: string) {
  const [, accountId = '', kindId = '', signature = ''] =
    /^(\d{1,18})\.(\d{1,18})\.([\w-]{32})$/.exec(token) ?? []
  return secret.verify(purpose, `${accountId}.${kindId}`, signature)
    ? { accountId, kindId }
    : undefined
}

const texts = {
  zh: {
    title: '邮件通知',
    ask: '不再通过邮件接收这类消息？消息仍会出现在门户的收件箱里。',
    button: '不再接收邮件',
    done: '已关闭这类消息的邮件通知。可在“设置 › 通知设置”中重新打开。',
    wrong: '链接不完整或已失效。可在门户的“设置 › 通知设置”中更改。',
  },
  en: {
    title: 'Email notifications',
    ask: 'Stop emails about this kind of message? The messages still arrive in your inbox in the portal.',
    button: 'Stop these emails',
    done: 'Emails about this kind of message are turned off. You can turn them on again under Settings › Notifications.',
    wrong:
      'The link is incomplete or no longer valid. You can change this in the portal, under Settings › Notifications.',
  },
}

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

type Answer = { request: FastifyRequest; reply: FastifyReply }

function page({ request, reply }: Answer, content: (text: (typeof texts)['zh']) => Html) {
  const language = pageLanguage(undefined, request.headers)
  const text = texts[language]
  reply.header('content-security-policy', policy).header('cache-control', 'no-store')
  return String(html`${pageHead(language, readAppearance(request.headers.cookie), text.title)}
<body>
<header><img src="/icon.svg" alt="" width="48" height="48"></header>
<main>
<h1>${text.title}</h1>
${content(text)}
</main>
</body>
</html>`)
}

/** Asks for confirmation first, because mail programs open links automatically. */
export const renderUnsubscribePage = (platform: Platform, answer: Answer, token: string) =>
  page(answer, (text) =>
    readToken(platform, token)
      ? html`<p class="intro">${text.ask}</p><form method="post"><button class="button">${text.button}</button></form>`
      : html`<p class="intro">${text.wrong}</p>`,
  )

export async function unsubscribe(platform: Platform, answer: Answer, token: string) {
  const target = readToken(platform, token)
  if (target)
    await sql`
      insert into notification_choice (account_id, kind_id, channels)
      select account.id, kind.id, array_remove(kind.default_channels, 'mail')
      from account, message_kind kind where account.id = ${target.accountId} and kind.id = ${target.kindId}
      on conflict (account_id, kind_id) do update
      set channels = array_remove(notification_choice.channels, 'mail')`.execute(platform.db)
  return page(answer, (text) => html`<p class="intro">${target ? text.done : text.wrong}</p>`)
}
