import type { ticketValidation } from '@atrium/contract/sso/central-login'
import { type Releasable, releasable } from '@atrium/contract/sso/registry'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findPartyAt, type Party } from '#domains/sso/registry/parties.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { asJson, asText, asXml, type Failure, type Outcome, proxyRefusal } from './answers.ts'
import type { TicketFacts } from './queries.ts'
import { redeemTicket } from './redeem-ticket.ts'
import { asSaml, readSamlRequest } from './saml.ts'
import { openTicket, ticketDigest, ticketId, ticketSeconds } from './service-tickets.ts'

/** A list if the parameter was repeated. */
type Parameter = string | string[]
type Asked = {
  service?: Parameter
  ticket?: Parameter
  renew?: Parameter
  format?: Parameter
  pgtUrl?: Parameter
}

/** Format of a ticket; clients forward whatever they received. */
const ticketShape = /^ST-[A-Za-z0-9-]{20,253}$/

export const ticketValidationHandlers: Handlers<typeof ticketValidation> = {
  async validate({ platform, query, request, reply }) {
    noStore(reply)
    reply.type('text/plain; charset=utf-8')
    return asText(await outcomeOf(platform, request, query))
  },
  serviceValidate: (context) => serviceValidate(context),
  p3ServiceValidate: (context) => serviceValidate(context),
  // There are no proxy tickets, so every ticket here is a service ticket.
  proxyValidate: (context) => serviceValidate(context),
  p3ProxyValidate: (context) => serviceValidate(context),
  async proxy({ reply }) {
    noStore(reply)
    reply.type('application/xml; charset=utf-8')
    return proxyRefusal
  },
  async samlValidate({ platform, query, body, request, reply }) {
    noStore(reply)
    reply.type('text/xml; charset=utf-8')
    const asked = readSamlRequest(body.xml)
    const ticket = asked?.ticket ?? ''
    return asSaml(await outcomeOf(platform, request, { service: query.TARGET ?? '', ticket }), {
      issuer: platform.origin(),
      recipient: typeof query.TARGET === 'string' ? query.TARGET : '',
      requestId: asked?.requestId,
    })
  },
}

/** Old clients call the CAS 2.0 address but read attributes, so both addresses respond alike. */
async function serviceValidate({
  platform,
  query,
  request,
  reply,
}: {
  platform: Platform
  query: Asked
  request: FastifyRequest
  reply: FastifyReply
}) {
  noStore(reply)
  const format = String(query.format ?? 'XML').toUpperCase()
  const json = format === 'JSON'
  reply.type(`application/${json ? 'json' : 'xml'}; charset=utf-8`)
  const outcome =
    json || format === 'XML'
      ? await outcomeOf(platform, request, query)
      : failed('INVALID_REQUEST', 'format must be XML or JSON')
  return json ? asJson(outcome) : asXml(outcome)
}

/** A ticket that is presented is spent, whatever else is wrong with the request. */
async function outcomeOf(
  platform: Platform,
  request: FastifyRequest,
  { service, ticket, renew, pgtUrl }: Asked,
): Promise<Outcome> {
  try {
    if (!service || !ticket) return failed('INVALID_REQUEST', 'service and ticket are required')
    if (typeof service !== 'string' || typeof ticket !== 'string')
      return failed('INVALID_REQUEST', 'service and ticket must be given once each')
    if (!ticketShape.test(ticket))
      return failed('INVALID_TICKET_SPEC', 'This is not a service ticket')
    const unknown = failed('INVALID_TICKET', `Ticket ${ticket} not recognized`)
    const found = await findPartyAt(platform, service)
    const opened = openTicket(platform.secret, ticket)
    if (!opened) return pgtUrl ? noProxy : unknown
    const forThis =
      found?.party.id === opened.partyId &&
      ticketDigest(found.address, found.party) === opened.digest
    const inTime = opened.givenAt + ticketSeconds > Date.now() / 1000
    const facts = await redeemTicket(platform, {
      id: ticketId(ticket, opened),
      sessionId: opened.sessionId,
      partyId: opened.partyId,
      attributes: found?.party.attributes ?? [],
      good: forThis && inTime && !pgtUrl && (opened.newLogin || !isSet(renew)),
      sealedKey: found?.party.logoutUrl ? platform.secret.encrypt(ticket) : null,
    })
    if (pgtUrl) return noProxy
    if (facts === undefined) return unknown
    if (!forThis)
      return failed('INVALID_SERVICE', `Ticket ${ticket} was not issued for this service`)
    if (!facts) return unknown
    return {
      success: {
        user: facts.username,
        attributes: attributesOf(facts, found.party, opened.newLogin),
      },
    }
  } catch (error) {
    request.log.error({ err: error }, 'a ticket could not be validated')
    return failed('INTERNAL_ERROR', 'The ticket could not be validated; please sign in again')
  }
}

const failed = (failure: Failure, description: string): Outcome => ({ failure, description })
const noProxy = failed('UNAUTHORIZED_SERVICE_PROXY', 'Proxy tickets are not given to any service')

/** Whether a flag is present; clients also send `renew=false`. */
export const isSet = (value: Parameter | undefined) => value !== undefined && value !== 'false'

function attributesOf(
  member: TicketFacts,
  { attributes, attributeNames }: Party,
  newLogin: boolean,
) {
  const values = member as unknown as Record<string, string | string[]>
  const released = attributes
    .filter((attribute): attribute is Releasable => attribute in releasable)
    .flatMap((attribute) => releasable[attribute].values)
    .flatMap((name): [string, string | string[]][] => {
      const value = values[name] ?? ''
      return value.length > 0 ? [[attributeNames[name] ?? name, value]] : []
    })
  return [
    ['authenticationDate', member.authenticatedAt],
    ['longTermAuthenticationRequestTokenUsed', member.remembered],
    ['isFromNewLogin', newLogin],
    ...released,
  ] as [string, string | boolean | string[]][]
}

export const noStore = (reply: FastifyReply) =>
  reply.headers({
    'cache-control': 'no-store',
    pragma: 'no-cache',
    expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  })
