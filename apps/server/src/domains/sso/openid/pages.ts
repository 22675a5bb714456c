import type { KoaContextWithOIDC } from 'oidc-provider'
import { logoutPage, messagePage, pagePolicy } from '#domains/sso/central-login/pages.ts'
import { readFrame } from '#domains/sso/central-login/texts.ts'
import { errorText } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { firstLocale } from './locales.ts'

const frameFor = (platform: Platform, ctx: KoaContextWithOIDC) =>
  readFrame(platform, firstLocale(ctx.oidc?.params), ctx.req.headers)

function answer(ctx: KoaContextWithOIDC, html: string, leadsTo?: string) {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy(leadsTo))
  ctx.set('cache-control', 'no-store')
  ctx.body = html
}

/** @param form the provider's own form, with a known id */
export async function logoutQuestion(platform: Platform, ctx: KoaContextWithOIDC, form: string) {
  const to = ctx.oidc.params?.post_logout_redirect_uri
  const html = logoutPage(await frameFor(platform, ctx), { form, id: 'op.logoutForm' })
  answer(ctx, html, to ? String(to) : undefined)
}

export async function signedOutPage(platform: Platform, ctx: KoaContextWithOIDC) {
  answer(ctx, messagePage(await frameFor(platform, ctx), { kind: 'signed-out' }))
}

/** The reason is logged for the system's operators; it means nothing to members. */
export async function invalidRequestPage(
  platform: Platform,
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string },
  error: Error,
) {
  const { clientId } = ctx.oidc?.client ?? {}
  const reason = { client: clientId, error: out.error, description: out.error_description }
  platform.log.info({ ...reason, cause: error.message }, 'an OpenID request was refused')
  const frame = await frameFor(platform, ctx)
  const text = errorText('openid.request_refused', frame.language)
  answer(ctx, messagePage(frame, { kind: 'refused', text: `${text} (${out.error})` }))
}
