// A complete service that members enter from the portal with a jump token. Run `node service.mjs` with these variables:
//   PORTAL         the portal's address, https://m.example.edu.cn
//   AUDIENCE       the code under which the portal knows this service, or the audience it is registered with
//   ORIGIN         address of this service for members, such as https://print.example.edu.cn
//   PORT           port to listen on
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { PORTAL, AUDIENCE, ORIGIN, PORT } = process.env
/** Keys change without notice: jose finds them by key id and fetches them again for a new one. */
const keys = createRemoteJWKSet(new URL(`${PORTAL}/token/jwt/jwks`))

/** A real service stores both in its database. */
const sessions = new Map()
const used = new Map()

createServer(async (request, response) => {
  const url = new URL(request.url, ORIGIN)
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  // Otherwise the token would leak through the Referer of links on this page, and into caches.
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cache-control', 'no-store')
  const token = url.searchParams.get('token')
  if (token !== null) return signIn(token, url, response)
  const session = sessions.get(cookieOf(request, 'session'))
  if (!session) return response.writeHead(401).end('Please open this service from the portal.')
  response.end(`Welcome, ${session.name} (${session.username}).`)
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

/** Exchanges the token for a session of our own, and redirects to the same address without it. */
async function signIn(token, url, response) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: PORTAL,
      audience: AUDIENCE,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['sub', 'jti', 'exp'],
    })
    assertUnused(payload)
    const session = randomUUID()
    sessions.set(session, { username: payload.sub, name: payload.name ?? payload.sub })
    const secure = ORIGIN.startsWith('https:') ? '; Secure' : ''
    url.searchParams.delete('token')
    response
      .writeHead(303, {
        'set-cookie': `session=${session}; Path=/; HttpOnly; SameSite=Lax${secure}`,
        // Absolute: a path may begin with two slashes.
        location: ORIGIN + url.pathname + url.search,
      })
      .end()
  } catch (error) {
    console.error(error.message)
    response
      .writeHead(401)
      .end('That did not work. Please open this service from the portal again.')
  }
}

/** A token is valid once. @throws if it was used before */
function assertUnused({ jti, exp }) {
  const now = Date.now() / 1000
  for (const [id, until] of used) if (until < now) used.delete(id)
  if (used.has(jti)) throw new Error('a token for the second time')
  used.set(jti, exp)
}

const cookieOf = (request, name) =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1]
