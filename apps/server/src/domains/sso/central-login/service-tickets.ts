import { hash } from 'node:crypto'
import type { Party } from '#domains/sso/registry/parties.ts'
import type { Secret } from '#platform/secret.ts'

/** For how long a ticket can be shown (CAS protocol 3.0, 3.1.1: a short time). */
export const ticketSeconds = 60

/** What a service ticket stands for. */
export type ServiceTicket = {
  sessionId: string
  partyId: string
  /** of the address and of what was to be told when it was given */
  digest: string
  newLogin: boolean
  /** seconds since 1970 */
  givenAt: number
}

/** Keeps what was sealed for something else from being shown as a ticket. */
const mark = 'st2'

/**
 * Ties a ticket to the address it was given for, however its words are escaped when it is shown, and to what its member had
 * agreed to tell.
 */
export function ticketDigest(service: string, party: Pick<Party, 'attributes'>) {
  const [place, words = ''] = service.split(/\?(.*)/s, 2)
  const address = [place, new URLSearchParams(words).toString()]
  return hash('sha256', JSON.stringify([...address, party.attributes]), 'base64url').slice(0, 22)
}

/**
 * A ticket that needs no row until it is shown: what it stands for is in it, sealed. Letters and digits alone, shorter than
 * the 256 characters every client has to take (CAS protocol 3.0, 3.1.1 and 3.7).
 */
export function sealTicket(secret: Secret, ticket: ServiceTicket): string {
  const { sessionId, partyId, digest, newLogin, givenAt } = ticket
  const text = [mark, sessionId, partyId, digest, newLogin ? 1 : 0, givenAt.toString(36)].join(' ')
  return `ST-${Buffer.from(secret.encrypt(text), 'base64url').toString('hex')}`
}

/**
 * What a used ticket is remembered by: the second it was given in and the random bits its seal begins with. Nobody can
 * make a ticket of it, and two tickets never share it.
 */
export function ticketId(ticket: string, { givenAt }: ServiceTicket): string {
  const random = (from: number, to: number) => ticket.slice(3 + from, 3 + to)
  const second = givenAt.toString(16).padStart(8, '0')
  return `${second}-${random(0, 4)}-${random(4, 8)}-${random(8, 12)}-${random(12, 24)}`
}

/** Nothing: it is not one of ours. */
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
