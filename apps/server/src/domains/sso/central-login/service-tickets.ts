import { hash } from 'node:crypto'
import type { Party } from '#domains/sso/registry/parties.ts'
import type { Secret } from '#platform/secret.ts'

/** Lifetime of a ticket (CAS protocol 3.0, 3.1.1: a short time). */
export const ticketSeconds = 60

/** The content of a service ticket. */
export type ServiceTicket = {
  sessionId: string
  partyId: string
  /** of the address and the attributes at the time of issue */
  digest: string
  newLogin: boolean
  /** seconds since 1970 */
  givenAt: number
}

/** Distinguishes tickets from other sealed values. */
const mark = 'st2'

/** Binds a ticket to its service address, however its query is escaped, and to the attributes the member agreed to. */
export function ticketDigest(service: string, party: Pick<Party, 'attributes'>) {
  const [place, words = ''] = service.split(/\?(.*)/s, 2)
  const address = [place, new URLSearchParams(words).toString()]
  return hash('sha256', JSON.stringify([...address, party.attributes]), 'base64url').slice(0, 22)
}

/**
 * Creates a ticket without a database row: its content is sealed inside. Letters, digits and one hyphen, shorter than
 * the 256 characters every client must accept (CAS protocol 3.0, 3.1.1 and 3.7).
 */
export function sealTicket(secret: Secret, ticket: ServiceTicket): string {
  const { sessionId, partyId, digest, newLogin, givenAt } = ticket
  const text = [mark, sessionId, partyId, digest, newLogin ? 1 : 0, givenAt.toString(36)].join(' ')
  return `ST-${Buffer.from(secret.encrypt(text), 'base64url').toString('hex')}`
}

/**
 * The id that records a used ticket: the second of issue and the random bits at the start of its seal. It cannot be
 * turned back into the ticket and is unique.
 */
export function ticketId(ticket: string, { givenAt }: ServiceTicket): string {
  const random = (from: number, to: number) => ticket.slice(3 + from, 3 + to)
  const second = givenAt.toString(16).padStart(8, '0')
  return `${second}-${random(0, 4)}-${random(4, 8)}-${random(8, 12)}-${random(12, 24)}`
}

/** Undefined if it is not one of our tickets. */
export function openTicket(secret: Secret, ticket: string): ServiceTicket | undefined {
  if (!/^ST-[0-9a-f]+$/.test(ticket) || ticket.length % 2 === 0) return undefined
  const text = secret.decrypt(Buffer.from(ticket.slice(3), 'hex').toString('base64url'))
  const [marked, sessionId, partyId, digest, newLogin, givenAt] = text?.split(' ') ?? []
  if (marked !== mark || !sessionId || !partyId || !digest || !givenAt) return undefined
  return {
    sessionId,
    partyId,
    digest,
    newLogin: newLogin === '1',
    givenAt: Number.parseInt(givenAt, 36),
  }
}
