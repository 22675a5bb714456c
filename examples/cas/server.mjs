// A small service that members sign in to with Atrium by CAS 3.0. Nothing but Node.js 20 or newer: copy what you need.
//
//   node examples/cas/server.mjs
//
// PORT    where it listens; 4100 without it
// ORIGIN  how members reach it; registered in the portal as an address of this service
// PORTAL  the portal, as members reach it
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const port = Number(process.env.PORT ?? 4100)
const origin = process.env.ORIGIN ?? `http://localhost:${port}`
const portal = process.env.PORTAL ?? 'http://localhost:8080'

/** Session cookie → who it is. Yours live in a database. */
const sessions = new Map()
/** Service ticket → session cookie: the portal names a session by the ticket it began with when it ends. */
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
    return endByNotice(request, response)
  if (pathname === '/logout') return signOut(request, response)
  if (request.method !== 'GET' || pathname !== '/')
    return response.writeHead(404).end('There is nothing here.')

  const ticket = searchParams.get('ticket')
  if (ticket) return signIn(ticket, response)
  const member = sessions.get(cookieOf(request))
  if (member) return response.writeHead(200, html).end(page(member))
  // Nobody is signed in: the central login sends them back here with a ticket.
  redirect(response, `${portal}/cas/login?service=${encodeURIComponent(serviceAddress)}`)
}

/** Always the same, and never put together from what a request says (its Host header, say). */
const serviceAddress = `${origin}/`

/** A ticket is shown to the portal once, from server to server, with the very address it was asked for. */
async function signIn(ticket, response) {
  const query = new URLSearchParams({ service: serviceAddress, ticket, format: 'JSON' })
  const answered = await fetch(`${portal}/cas/p3/serviceValidate?${query}`)
  const { serviceResponse } = await answered.json()
  const success = serviceResponse.authenticationSuccess
  // Used, too old, or not ours: begin anew instead of showing an error.
  if (!success) return redirect(response, serviceAddress)
  const session = randomBytes(32).toString('base64url')
  sessions.set(session, { user: success.user, ...success.attributes })
  sessionOfTicket.set(ticket, session)
  response.setHeader('set-cookie', `session=${session}; Path=/; HttpOnly; SameSite=Lax`)
  // Without the ticket in the address.
  redirect(response, serviceAddress)
}

/** Leaving here leaves everywhere: the portal tells all the others. */
function signOut(request, response) {
  sessions.delete(cookieOf(request))
  response.setHeader('set-cookie', 'session=; Path=/; Max-Age=0')
  redirect(response, `${portal}/cas/logout?service=${encodeURIComponent(`${origin}/`)}`)
}

/**
 * The portal says that a session has ended. The message is not signed: only the portal and this service know the ticket, so
 * nothing but a ticket that is known here is believed, and nothing is looked up or fetched for it.
 */
async function endByNotice(request, response) {
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

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
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
