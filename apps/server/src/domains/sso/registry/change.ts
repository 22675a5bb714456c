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
import { normalizeAddress, partyIssues } from './rules.ts'
import { newSecret } from './secrets.ts'

type Change = { code: string; content: RelyingPartyContent; loopback: boolean }

/**
 * Creates or updates a system in the caller's transaction and invalidates all nodes.
 * @throws request.invalid by field
 */
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
  const plain = { ...content, addresses: content.addresses.map(normalizeAddress) }
  if (how === 'create' && !(await insertParty(db, code, plain))) fail('registry.code_taken')
  if (how === 'update' && !(await updateParty(db, code, plain))) fail('registry.not_found')
  await invalidate(db, 'registry')
  return getPartyRow(db, code)
}

export async function removeParty(db: Db, code: string) {
  const gone = await deleteParty(db, code).catch((error) => {
    // Members keep the record of what was released, which includes the recipient.
    if (sqlState(error) === '23503') fail('registry.in_use')
    throw error
  })
  if (!gone) fail('registry.not_found')
  await invalidate(db, 'registry')
}

/** @returns the new secret; only its hash is stored */
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
