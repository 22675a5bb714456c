import { randomUUID } from 'node:crypto'
import type { AuthorizationState } from '@atrium/contract/sso/consent'
import type { Party } from '#domains/sso/registry/parties.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { findReleased, isConsentDue, recordRelease } from './queries.ts'

/** Enough time for a slow phone to open a page. */
export const jumpSeconds = 120

/** Issues a token for one system and records the release of attributes; undefined if the member must consent first. */
export async function issueJumpToken(
  platform: Platform,
  { accountId, username }: Member,
  party: Party,
): Promise<{ token: string; expiresAt: string } | undefined> {
  const { db, keys } = platform
  if (await isConsentDue(db, party, accountId)) return undefined
  const token = await keys.sign(await findReleased(db, accountId, party.attributes), {
    type: 'at+jwt',
    audience: party.audience,
    subject: username,
    id: randomUUID(),
    seconds: jumpSeconds,
  })
  await recordRelease(db, { accountId, partyId: party.id, attributes: party.attributes })
  return { token, expiresAt: new Date(Date.now() + jumpSeconds * 1000).toISOString() }
}

/** What a member sees before consenting, and whether consent is due. */
export async function authorizationStateOf(
  db: Db,
  viewer: Member,
  party: Party,
): Promise<AuthorizationState> {
  const { code, name, nameEn, purpose, purposeEn, attributes } = party
  const authorized = !(await isConsentDue(db, party, viewer.accountId))
  return { authorized, code, name, nameEn, purpose, purposeEn, attributes: [...attributes] }
}
