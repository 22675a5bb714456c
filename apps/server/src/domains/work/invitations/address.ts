import type { Environment } from '#platform/environment.ts'

type Settings = Pick<Environment, 'ATRIUM_MAIL_REPLY_TO' | 'ATRIUM_MAIL_FROM'>

/** The reply address of an invitation, containing its token; without a configured mailbox, replies are not read. */
export const replyAddress = (env: Settings, token: string) =>
  env.ATRIUM_MAIL_REPLY_TO?.replace('{token}', token) ??
  /<?([^\s<>]+@[^\s<>]+)>?\s*$/.exec(env.ATRIUM_MAIL_FROM ?? '')?.[1] ??
  'portal@invalid'

/** The invitation tokens in the reply addresses contained in a text. */
export function tokensIn(env: Settings, text: string): string[] {
  const pattern = env.ATRIUM_MAIL_REPLY_TO
  if (!pattern) return []
  const [before = '', after = ''] = pattern.split('{token}').map(RegExp.escape)
  const found = text.matchAll(new RegExp(`${before}([0-9a-f]{32})${after}`, 'gi'))
  return [...new Set(found.map(([, token = '']) => token.toLowerCase()))].slice(0, 10)
}
