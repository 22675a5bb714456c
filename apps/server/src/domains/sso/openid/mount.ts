import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { touchSession } from '#domains/identity/identity/queries.ts'
import { currentSession } from '#domains/sso/central-login/central-sessions.ts'
import { fail } from '#platform/http/errors.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { openidPath } from './issuer.ts'
import { acrValues, providerOf } from './provider.ts'

/** Mounts the protocol endpoints of the library, which parses its own bodies and writes its own responses. */
export function serveOpenId(app: FastifyInstance, host: Host) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const hidden = { schema: { hide: true } as never }
    for (const name of metadata)
      scope.route({
        ...hidden,
        method: ['GET', 'OPTIONS'],
        url: `/.well-known/${name}${openidPath}`,
        handler: (request, reply) => ask(request, reply, `${openidPath}/.well-known/${name}`),
      })
    scope.all(`${openidPath}/*`, hidden, (request, reply) => ask(request, reply, request.url))
  })

  /** @param address path on the provider */
  async function ask(request: FastifyRequest, reply: FastifyReply, address: string) {
    const { platform } = host
    if (!platform) return fail('server.unavailable')
    const provider = await providerOf(platform)
    // The provider ignores case and accepts a trailing slash.
    if (/\/auth\/?$/i.test(request.url.split('?')[0] ?? ''))
      await carrySession(platform, provider, request, reply)
    reply.hijack()
    const { raw } = request
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value as string)
    // Some responses are a self-submitting form; the provider adds the hash of its script to an existing `script-src`.
    reply.raw.setHeader('content-security-policy', formPolicy)
    // The provider routes by the path below its mount, but builds addresses from the original URL.
    Object.assign(raw, { originalUrl: address })
    raw.url = address.slice(openidPath.length) || '/'
    // Our origin is configured; headers of the request must not change it.
    const { host: name, protocol } = new URL(platform.origin())
    raw.headers.host = name
    raw.headers['x-forwarded-host'] = name
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    await provider.callback()(raw, reply.raw)
  }
}

/**
 * Replaces the provider's session by the central one for this request: a signed-in member is known before anything is
 * asked, and an earlier session is ignored after sign-out.
 */
async function carrySession(
  platform: Platform,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { raw } = request
  const name = provider.cookieName('session')
  const others = (raw.headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => pair && !pair.startsWith(`${name}=`) && !pair.startsWith(`${name}.sig=`))
  const central = await currentSession(platform, request)
  if (!central) {
    raw.headers.cookie = others.join('; ')
    return
  }
  const ctx = provider.createContext(raw, reply.raw)
  const known = await provider.Session.get(ctx as never)
  if (known.uid === central.id && known.accountId === central.accountId) return
  // The published types omit the session's properties.
  const Session = provider.Session as unknown as new (payload: object) => OwnSession
  const session = new Session({
    uid: central.id,
    accountId: central.accountId,
    loginTs: Math.floor(Date.parse(central.confirmedAt ?? '') / 1000),
    ...proofOf(central),
  })
  await session.save(providerSeconds)
  await touchSession(platform.db, central.id)
  ctx.cookies.set(name, session.id, {
    path: openidPath,
    sameSite: 'lax',
    httpOnly: true,
    secure: platform.origin().startsWith('https:'),
    overwrite: true,
    signed: true,
  })
  const set = [reply.raw.getHeader('set-cookie') ?? []].flat().map(String)
  raw.headers.cookie = [...others, ...set.map((cookie) => cookie.split(';')[0])].join('; ')
}

/**
 * Provider metadata. For an issuer with a path, OAuth clients look for it between host and path (RFC 8414, 3.1); some
 * OpenID clients do the same.
 */
const metadata = ['oauth-authorization-server', 'openid-configuration']

const formPolicy = "default-src 'none'; script-src; frame-ancestors 'none'"

type OwnSession = { id: string; save: (seconds: number) => Promise<unknown> }

/** Seconds; our own session decides when it ends. */
const providerSeconds = 90 * 86_400

/** How a member has authenticated: `amr` (RFC 8176), absent after a sign-in elsewhere; `acr` by number of factors. */
function proofOf({ way, strong }: { way: string; strong: boolean }) {
  const first = { password: 'pwd', directory: 'pwd', sms: 'sms', passkey: 'hwk' }[way]
  const amr = [...(first ? [first] : []), ...(strong ? ['mfa'] : [])]
  return { ...(amr.length > 0 && { amr }), acr: strong ? acrValues.strong : acrValues.single }
}
