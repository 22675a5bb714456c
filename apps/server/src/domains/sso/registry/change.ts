import type { RelyingPartyContent } from '@atrium/contract/sso/registry'
import { type Db, sqlState } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import {
  deleteParty,
  findCatalogueService,
  insertParty,
  listPartyRows,
  lockParties,
  type PartyRow,
  updateParty,
  updateSecret,
} from './queries.ts'
import { partyIssues, plainAddress } from './rules.ts'
import { newSecret } from './secrets.ts'

type Change = { code: string; content: RelyingPartyContent; loopback: boolean }

/** Makes a system or changes it, in the caller's transaction; every node knows at the commit. @throws request.invalid with the fields */
export async function writeParty(
  db: Db,
  how: 'create' | 'update',
  { code, content, loopback }: Change,
): Promise<PartyRow> {
  await lockParties(db)
  const others = (await listPartyRows(db)).filter((row) => row.code !== code)
  const service = content.serviceId ? await findCatalogueService(db, content.serviceId) : undefined
  const taken = new Set(others.flatMap((row) => row.addresses))
  const fields = partyIssues(content, { loopback, service, taken })
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  const plain = { ...content, addresses: content.addresses.map(plainAddress) }
  if (how === 'create' && !(await insertParty(db, code, plain))) fail('registry.code_taken')
  if (how === 'update' && !(await updateParty(db, code, plain))) fail('registry.not_found')
  await invalidate(db, 'registry')
  return getPartyRow(db, code)
}

export async function removeParty(db: Db, code: string) {
  const gone = await deleteParty(db, code).catch((error) => {
    // What was told of members stays to be read by them, and with it whom it was told.
    if (sqlState(error) === '23503') fail('registry.in_use')
    throw error
  })
  if (!gone) fail('registry.not_found')
  await invalidate(db, 'registry')
}

/** @returns the new secret, which nobody can read later */
export async function replaceSecret(db: Db, code: string): Promise<string> {
  if ((await getPartyRow(db, code)).public_client) fail('registry.public_client')
  const { secret, hash } = newSecret()
  await updateSecret(db, code, hash)
  await invalidate(db, 'registry')
  return secret
}

export async function getPartyRow(db: Db, code: string): Promise<PartyRow> {
  const rows = await listPartyRows(db)
  return rows.find((row) => row.code === code) ?? fail('registry.not_found')
}
