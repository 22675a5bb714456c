import type { PersonalConnector } from '@atrium/contract/member/personal-source'
import type { Problem, Raw } from './shapes.ts'

/** About whom a system is asked. */
export type Who = { username: string; number: string; email: string; code?: string }
export type Asking = {
  secret: string | undefined
  /** ATRIUM_OUTBOUND_ALLOW */
  allow: string | undefined
  who: Who
}
/** What came back; nothing: the system does not know the member. */
export type Asked = { raw: Raw; problems: Problem[] } | undefined

/** Why there is no answer, in a sentence for operators. */
export class SourceError extends Error {}
/** The answer is about somebody else. Nothing of it is kept, shown or logged. */
export class ForeignAnswer extends SourceError {}

/** @throws ForeignAnswer */
export function isAbout(owner: string | undefined, who: Who, by: PersonalConnector['by']) {
  const same =
    by === 'username'
      ? owner?.trim().toLowerCase() === who.username.toLowerCase()
      : owner?.trim() === who.number
  if (same) return
  throw new ForeignAnswer(
    owner
      ? 'its answer is about somebody else than was asked for'
      : 'its answer does not say whom it is about (owner)',
  )
}
