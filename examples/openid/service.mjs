// A complete service with sign-in by OpenID Connect. Run `node service.mjs` with these variables:
//   ISSUER         the portal's provider, https://m.example.edu.cn/cas/oidc
//   CLIENT_ID      the code under which the portal knows this service
//   CLIENT_SECRET  the secret shown by `npx atrium relying-party secret CODE`
//   ORIGIN         address of this service for members, such as https://map.example.edu.cn
//   PORT           port to listen on
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as openid from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN, PORT } = process.env
const redirectUri = `${ORIGIN}/callback`

const config = await openid.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  undefined,
  openid.ClientSecretBasic(CLIENT_SECRET),
  // Only to try it out on one machine.
  ISSUER.startsWith('http://') ? { execute: [openid.allowInsecureRequests] } : {},
)
const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri))

/** A real service stores both in its database. */
const requests = new Map()
const sessions = new Map()

createServer(async (request, response) => {
  const url = new URL(request.url, ORIGIN)
  try {
    if (url.pathname === '/callback') return await finish(url, request, response)
    if (url.pathname === '/logout') return await leave(request, response)
    if (url.pathname === '/told-logout' && request.method === 'POST')
      return await toldLogout(request, response)
    const session = sessions.get(cookieOf(request, 'session'))
    if (!session) return await begin(response)
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end(`Welcome, ${session.name} (${session.username}).`)
  } catch (error) {
    console.error(error)
    response
      .writeHead(400, { 'content-type': 'text/plain' })
      .end('That did not work. Please try again.')
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

/** Redirects to the portal, and remembers in this browser what the answer must match. */
async function begin(response) {
  const key = randomUUID()
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const nonce = openid.randomNonce()
  requests.set(key, { verifier, state, nonce })
  const to = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  setCookie(response, 'request', key)
  response.writeHead(303, { location: to.href }).end()
}

/** The return from the portal: exchanges the code for tokens and identifies the member. */
async function finish(url, request, response) {
  const key = cookieOf(request, 'request')
  const started = requests.get(key)
  // Without it there is nothing to check the answer against: somebody else may have sent the member here.
  if (!started)
    return response
      .writeHead(400, { 'content-type': 'text/plain' })
      .end('No sign-in was started in this browser. Please try again.')
  requests.delete(key)
  // Fails unless the answer has this state and nonce.
  const tokens = await openid.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
    expectedNonce: started.nonce,
  })
  const { sub, sid } = tokens.claims()
  const told = await openid.fetchUserInfo(config, tokens.access_token, sub)
  const session = randomUUID()
  sessions.set(session, {
    sid,
    name: told.name ?? told.preferred_username,
    username: told.preferred_username,
    idToken: tokens.id_token,
  })
  setCookie(response, 'session', session)
  response.writeHead(303, { location: '/' }).end()
}

/** Signs out here, and everywhere if the member chooses so. */
async function leave(request, response) {
  const key = cookieOf(request, 'session')
  const session = sessions.get(key)
  sessions.delete(key)
  const to = openid.buildEndSessionUrl(config, {
    post_logout_redirect_uri: `${ORIGIN}/`,
    ...(session && { id_token_hint: session.idToken }),
  })
  response.writeHead(303, { location: to.href }).end()
}

/** Back-channel logout: the portal's notice that a session has ended. */
async function toldLogout(request, response) {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > 8192) return response.writeHead(413).end()
  }
  const { payload } = await jwtVerify(new URLSearchParams(body).get('logout_token') ?? '', keys, {
    issuer: config.serverMetadata().issuer,
    audience: CLIENT_ID,
    typ: 'logout+jwt',
  })
  if (!payload.events?.['http://schemas.openid.net/event/backchannel-logout'])
    throw new Error('not a logout')
  for (const [key, { sid }] of sessions) if (sid === payload.sid) sessions.delete(key)
  response.writeHead(200, { 'cache-control': 'no-store' }).end()
}

function setCookie(response, name, value) {
  const secure = ORIGIN.startsWith('https:') ? '; Secure' : ''
  response.appendHeader('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`)
}
const cookieOf = (request, name) =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1]
