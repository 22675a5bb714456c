import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { touchSession } from '#domains/identity/identity/queries.ts'
import { currentSession } from '#domains/sso/central-login/central-sessions.ts'
import { fail } from '#platform/http/errors.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { openidPath } from './issuer.ts'
import { acrValues, providerOf } from './provider.ts'

/** The protocol's own endpoints. They read their bodies themselves, and write their answers. */
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

  /** @param address as the provider knows it */
  async function ask(request: FastifyRequest, reply: FastifyReply, address: string) {
    const { platform } = host
    if (!platform) return fail('server.unavailable')
    const provider = await providerOf(platform)
    // The provider takes any case, and a slash at the end.
    if (/\/auth\/?$/i.test(request.url.split('?')[0] ?? ''))
      await carrySession(platform, provider, request, reply)
    reply.hijack()
    const { raw } = request
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value as string)
    // Some of its answers are a form that sends itself: to a list of scripts it adds that one, by its hash.
    reply.raw.setHeader('content-security-policy', formPolicy)
    // Below its own path it looks for its endpoints, and above for what the answer is about.
    Object.assign(raw, { originalUrl: address })
    raw.url = address.slice(openidPath.length) || '/'
    // Who we are is configured: a request has no say in it.
    const { host: name, protocol } = new URL(platform.origin())
    raw.headers.host = name
    raw.headers['x-forwarded-host'] = name
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    await provider.callback()(raw, reply.raw)
  }
}

/**
 * Makes the provider's session the central one, and lets the request at hand see it: whoever is signed in is known before
 * anything is asked, and whoever is not is not known from earlier.
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
  // Its published types leave out what a session is made of.
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
 * What the provider says of itself. Of an issuer with a path, OAuth clients look for it between the host and that path (RFC 8414,
 * 3.1), and some OpenID clients do alike.
 */
const metadata = ['oauth-authorization-server', 'openid-configuration']

const formPolicy = "default-src 'none'; script-src; frame-ancestors 'none'"

type OwnSession = { id: string; save: (seconds: number) => Promise<unknown> }

/** Seconds; the session itself says when it ends. */
const providerSeconds = 90 * 86_400

/** How somebody has shown who they are: `amr` by RFC 8176, nothing where another login did it; `acr` by whether one proof did. */
function proofOf({ way, strong }: { way: string; strong: boolean }) {
  const first = { password: 'pwd', directory: 'pwd', sms: 'sms', passkey: 'hwk' }[way]
  const amr = [...(first ? [first] : []), ...(strong ? ['mfa'] : [])]
  return { ...(amr.length > 0 && { amr }), acr: strong ? acrValues.strong : acrValues.single }
}
