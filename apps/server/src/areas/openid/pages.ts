import type { KoaContextWithOIDC } from 'oidc-provider'
import { logoutPage, messagePage, pagePolicy } from '#areas/central-login/pages.ts'
import { readSchool } from '#areas/central-login/texts.ts'
import { errorText, languageOf } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'

const languageFor = (ctx: KoaContextWithOIDC) =>
  languageOf(String(ctx.oidc?.params?.ui_locales ?? '').split(' ')[0] || ctx.get('accept-language'))

function answer(ctx: KoaContextWithOIDC, html: string, leadsTo?: string) {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy(leadsTo))
  ctx.set('cache-control', 'no-store')
  ctx.body = html
}

/** @param form the provider's own, whose id is known */
export async function logoutQuestion(platform: Platform, ctx: KoaContextWithOIDC, form: string) {
  const school = await readSchool(platform, ctx.get('cookie'))
  const to = ctx.oidc.params?.post_logout_redirect_uri
  const html = logoutPage(languageFor(ctx), school, { form, id: 'op.logoutForm' })
  answer(ctx, html, to ? String(to) : undefined)
}

export async function signedOutPage(platform: Platform, ctx: KoaContextWithOIDC) {
  const school = await readSchool(platform, ctx.get('cookie'))
  answer(ctx, messagePage(languageFor(ctx), school, { kind: 'signed-out' }))
}

/** Whoever runs the system finds the reason in our log: it says nothing to a member. */
export async function wrongRequestPage(
  platform: Platform,
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string },
  error: Error,
) {
  const { clientId } = ctx.oidc?.client ?? {}
  const reason = { client: clientId, error: out.error, description: out.error_description }
  platform.log.info({ ...reason, cause: error.message }, 'an OpenID request was refused')
  const language = languageFor(ctx)
  const text = errorText('openid.request_refused', language)
  const school = await readSchool(platform, ctx.get('cookie'))
  answer(ctx, messagePage(language, school, { kind: 'refused', text: `${text} (${out.error})` }))
}
