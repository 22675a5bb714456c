import { randomUUID } from 'node:crypto'
import type { LogoutMessage } from '#domains/sso/registry/logout-worker.ts'
import { findParty } from '#domains/sso/registry/parties.ts'
import type { Platform } from '#platform/platform.ts'
import { openidPath } from './issuer.ts'

/** The logout token of OpenID Connect. @see https://openid.net/specs/openid-connect-backchannel-1_0.html */
export async function logoutToken(
  platform: Platform,
  key: string,
  code: string,
): Promise<LogoutMessage> {
  const { sid, sub } = JSON.parse(key) as { sid: string; sub: string }
  const party = await findParty(platform, code)
  const token = await platform.keys.sign(
    { sid, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
    {
      type: 'logout+jwt',
      issuer: platform.origin() + openidPath,
      audience: code,
      subject: sub,
      id: randomUUID(),
      seconds: 120,
      alg: party?.idTokenAlg ?? 'ES256',
    },
  )
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ logout_token: token }).toString(),
  }
}
