import type { PersonalConnector } from '@atrium/contract/member/personal-source'
import type { Problem, Raw } from './shapes.ts'

/** The member a system is asked about. */
export type Who = { username: string; number: string; email: string; code?: string }
export type Asking = {
  secret: string | undefined
  /** ATRIUM_OUTBOUND_ALLOW */
  allow: string | undefined
  who: Who
}
/** The answer; undefined if the system does not know the member. */
export type Asked = { raw: Raw; problems: Problem[] } | undefined

/** The reason why there is no answer, as a sentence for operators. */
export class SourceError extends Error {}
/** The answer is about somebody else. None of it is stored, shown or logged. */
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
