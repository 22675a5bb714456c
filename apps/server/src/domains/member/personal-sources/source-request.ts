import type { PersonalConnector } from '@atrium/contract/member/personal-source'
import type { Problem, RawFields } from './shapes.ts'

/** The member a system is asked about. */
export type MemberIdentifiers = { username: string; number: string; email: string; code?: string }
export type SourceRequest = {
  secret: string | undefined
  /** ATRIUM_OUTBOUND_ALLOW */
  allow: string | undefined
  who: MemberIdentifiers
}
/** The answer; undefined if the system does not know the member. */
export type RawAnswer = { raw: RawFields; problems: Problem[] } | undefined

/** The reason why there is no answer, as a sentence for operators. */
export class SourceError extends Error {}
/** The answer is about somebody else. None of it is stored, shown or logged. */
export class ForeignAnswer extends SourceError {}

/** @throws ForeignAnswer */
export function assertOwner(
  owner: string | undefined,
  who: MemberIdentifiers,
  by: PersonalConnector['by'],
) {
  const same =
    by === 'username'
      ? owner?.trim().toLowerCase() === who.username.toLowerCase()
      : owner?.trim() === who.number
  if (same) return
  throw new ForeignAnswer(
    owner
      ? 'its answer is about another member than the one asked for'
      : 'its answer does not say which member it is about (owner)',
  )
}
