// A small service with sign-in through Atrium by CAS 3.0. Needs only Node.js 20 or newer: copy what you need.
//
//   node examples/cas/server.mjs
//
// PORT    port to listen on; default 4100
// ORIGIN  address for members; registered in the portal as an address of this service
// PORTAL  address of the portal for members
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const port = Number(process.env.PORT ?? 4100)
const origin = process.env.ORIGIN ?? `http://localhost:${port}`
const portal = process.env.PORTAL ?? 'http://localhost:8080'

/** Session cookie → member. Use a database in a real service. */
const sessions = new Map()
/** Service ticket → session cookie: the portal's logout notice names the ticket a session began with. */
const sessionOfTicket = new Map()

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end('Something went wrong.')
  })
}).listen(port, '127.0.0.1', () => console.log(`The example service is at ${origin}`))

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? '/', origin)
  if (request.method === 'POST' && pathname === '/logout-notice')
    return handleLogoutNotice(request, response)
  if (pathname === '/logout') return signOut(request, response)
  if (request.method !== 'GET' || pathname !== '/')
    return response.writeHead(404).end('There is nothing here.')

  const ticket = searchParams.get('ticket')
  if (ticket) return signIn(ticket, response)
  const member = sessions.get(cookieOf(request))
  if (member) return response.writeHead(200, htmlHeaders).end(page(member))
  // Not signed in: the central login sends members back here with a ticket.
  redirect(response, `${portal}/cas/login?service=${encodeURIComponent(serviceAddress)}`)
}

/** A constant, never derived from the request (such as its Host header). */
const serviceAddress = `${origin}/`

/** A ticket is sent to the portal once, from server to server, with the exact address it was requested for. */
async function signIn(ticket, response) {
  const query = new URLSearchParams({ service: serviceAddress, ticket, format: 'JSON' })
  const validation = await fetch(`${portal}/cas/p3/serviceValidate?${query}`)
  const { serviceResponse } = await validation.json()
  const success = serviceResponse.authenticationSuccess
  // Used, expired or unknown: start again instead of showing an error.
  if (!success) return redirect(response, serviceAddress)
  const session = randomBytes(32).toString('base64url')
  sessions.set(session, { user: success.user, ...success.attributes })
  sessionOfTicket.set(ticket, session)
  response.setHeader('set-cookie', `session=${session}; Path=/; HttpOnly; SameSite=Lax`)
  // Remove the ticket from the address.
  redirect(response, serviceAddress)
}

/** Signing out here signs out everywhere: the portal notifies all other services. */
function signOut(request, response) {
  sessions.delete(cookieOf(request))
  response.setHeader('set-cookie', 'session=; Path=/; Max-Age=0')
  redirect(response, `${portal}/cas/logout?service=${encodeURIComponent(`${origin}/`)}`)
}

/**
 * The portal's notice that a session has ended. It is not signed: only the portal and this service know the ticket, so
 * only a known ticket is accepted, and nothing else is looked up or fetched.
 */
async function handleLogoutNotice(request, response) {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > 8192) return response.writeHead(413).end()
  }
  const message = new URLSearchParams(body).get('logoutRequest') ?? ''
  const ticket = /<(?:\w+:)?SessionIndex>\s*(ST-[A-Za-z0-9-]{1,253})\s*</.exec(message)?.[1]
  sessions.delete(sessionOfTicket.get(ticket))
  sessionOfTicket.delete(ticket)
  response.writeHead(204).end()
}

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
const redirect = (response, location) => response.writeHead(303, { location }).end()
const cookieOf = ({ headers }) => /(?:^|;\s*)session=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
const escaped = (text) =>
  String(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (member) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Example service</title>
<main>
<h1>Hello ${escaped(member.name ?? member.user)}</h1>
<dl>${Object.entries(member)
  .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
  .join('')}</dl>
<a href="/logout">Sign out</a>
</main>
</html>`
