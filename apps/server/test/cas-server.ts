import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small CAS 3.0 server on a free local port: login, validation, single logout. Signs everybody in as `user`. */
export async function startCasServer({ port = 0 } = {}) {
  const tickets = new Map<string, { service: string; user: string }>()
  const state = {
    user: '20268888',
    attributes: { name: ['Name of 20268888'] } as Record<string, string[]>,
    /** requests received, newest last */
    asked: [] as URL[],
    /** response to send instead of the real one */
    instead: undefined as string | undefined,
    /** send no response */
    silent: false,
  }
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', base)
    const fields = url.searchParams
    state.asked.push(url)
    const service = fields.get('service') ?? ''
    if (url.pathname === '/cas/login' && service) {
      const ticket = `ST-1-${randomBytes(24).toString('hex')}`
      tickets.set(ticket, { service, user: state.user })
      const to = new URL(service)
      to.searchParams.set('ticket', ticket)
      // The service address is kept byte for byte, as real servers do.
      response.writeHead(303, {
        location: `${service}${to.search.startsWith('?ticket') ? '?' : '&'}ticket=${ticket}`,
      })
      return void response.end()
    }
    if (url.pathname !== '/cas/p3/serviceValidate') return void response.writeHead(404).end()
    if (state.silent) return
    response.setHeader('content-type', 'application/xml; charset=utf-8')
    if (state.instead !== undefined) return void response.end(state.instead)
    const ticket = fields.get('ticket') ?? ''
    const found = tickets.get(ticket)
    // A ticket can be tried once.
    tickets.delete(ticket)
    response.end(
      found?.service === service
        ? success(found.user, state.attributes)
        : failure(found ? 'INVALID_SERVICE' : 'INVALID_TICKET'),
    )
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/cas`,
    state,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The response to a valid ticket. */
export const success = (user: string, attributes: Record<string, string[]> = {}) => `
<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">
  <cas:authenticationSuccess><cas:user>${user}</cas:user>
    <cas:attributes>${Object.entries(attributes)
      .flatMap(([name, values]) => values.map((value) => `<cas:${name}>${value}</cas:${name}>`))
      .join('')}</cas:attributes>
  </cas:authenticationSuccess>
</cas:serviceResponse>`

export const failure = (code: string) =>
  `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationFailure code="${code}">no such ticket</cas:authenticationFailure></cas:serviceResponse>`

/** The message a CAS server posts when the session of a ticket ends (CAS 3.0, appendix C). */
export const logoutRequest = (ticket: string) =>
  `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1-${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="2026-01-01T00:00:00Z"><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID><samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`
