import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/**
 * An OpenID provider (a published library) on a free local port, with one client. Every visitor is signed in as `user`.
 * @param callback redirect address on our side
 */
export async function startOpenidProvider(callback: string, { port = 0 } = {}) {
  const client = { id: 'atrium', secret: randomBytes(16).toString('hex') }
  const state = { user: '20269999', told: '' }
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callback],
        post_logout_redirect_uris: [new URL('/pages/login/signedOut', callback).href],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        backchannel_logout_uri: `${issuer}/told`,
        backchannel_logout_session_required: true,
      },
    ],
    findAccount: async (_, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        name: `Name of ${accountId}`,
        preferred_username: accountId,
      }),
    }),
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // The library's own fetch refuses requests to this machine.
    fetch(url, options) {
      const { dispatcher: _, ...plain } = (options ?? {}) as RequestInit & { dispatcher?: unknown }
      return fetch(url, plain)
    },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(context) {
      const grant = new provider.Grant({
        clientId: client.id,
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  /** Receives its logout notices; the test passes them on. */
  function hear(request: http.IncomingMessage, response: http.ServerResponse) {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      state.told = new URLSearchParams(text).get('logout_token') ?? ''
      response.end()
    })
  }
  /** Ends the session of this cookie at the provider. @returns the logout notice */
  async function signOut(cookie: string): Promise<string> {
    const session = await provider.Session.find(cookie)
    const known = await provider.Client.find(client.id)
    const { backchannelLogout } = known as unknown as {
      backchannelLogout(sub: string, sid: string): Promise<void>
    }
    await backchannelLogout.call(
      known,
      session?.accountId ?? '',
      (session as unknown as { sidFor(id: string): string }).sidFor(client.id),
    )
    return state.told
  }
  server.on('request', (request, response) => {
    if (request.url === '/told') return hear(request, response)
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: state.user } })
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { issuer, client, state, signOut, stop }
}
