import type { ProviderSettings } from '@atrium/contract/identity/federation'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  type Provider,
  updateProvider,
} from '#domains/identity/federation/queries.ts'
import { type Kind, providerIssues, settingsByKind } from '#domains/identity/federation/rules.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { IssueKind } from '#platform/http/errors.ts'
import type { Secret } from '#platform/secret.ts'

/** Provider data entered by an operator. `secret` omitted: unchanged; empty: removed. */
export type ProviderInput = {
  name: string
  nameEn?: string
  enabled?: boolean
  position?: number
  settings: ProviderSettings
  secret?: string | undefined
}
type WriteContext = { secret: Secret; db: Db }
type Outcome = { id: string } | { fields: Record<string, IssueKind> } | { taken: true }

/** Adds a provider and notifies all nodes, or returns issues by field. */
export async function addProvider(
  { db, secret }: WriteContext,
  input: ProviderInput & { code: string; kind: Kind },
): Promise<Outcome> {
  const settings = dropEmpty(input.settings)
  const fields = providerIssues(input.kind, settings, !!input.secret)
  if (Object.keys(fields).length > 0) return { fields }
  const id = await insertProvider(db, {
    ...providerFields(input, settings),
    code: input.code,
    kind: input.kind,
    sealedSecret: input.secret ? secret.encrypt(input.secret) : null,
  })
  if (!id) return { taken: true }
  await invalidate(db, 'config')
  return { id }
}

/** Updates a provider and notifies all nodes, or returns issues by field. */
export async function changeProvider(
  { db, secret }: WriteContext,
  before: Provider,
  input: ProviderInput,
): Promise<Exclude<Outcome, { taken: true }>> {
  const settings = dropEmpty(input.settings)
  const keepsSecret = input.secret === undefined
  const hasSecret = keepsSecret ? before.sealedSecret !== null : input.secret !== ''
  const fields = providerIssues(before.kind, settings, hasSecret)
  // Operators cannot read the stored secret, so they may not have it sent to a server of their own either.
  if (
    keepsSecret &&
    before.sealedSecret !== null &&
    secretOriginOf(settings) !== secretOriginOf(before.settings)
  )
    fields.secret = 'required'
  if (Object.keys(fields).length > 0) return { fields }
  await updateProvider(db, before.id, {
    ...providerFields(input, settings),
    ...(!keepsSecret && { sealedSecret: input.secret ? secret.encrypt(input.secret) : null }),
  })
  await invalidate(db, 'config')
  return { id: before.id }
}

export async function removeProvider(db: Db, id: string): Promise<boolean> {
  if (!(await findProvider(db, id))) return false
  await deleteProvider(db, id)
  await invalidate(db, 'config')
  return true
}

/**
 * The origin that receives the secret: that of the issuer, whose metadata names the token address, or of the API. Empty
 * for the public API of WeChat or WeCom, and for CAS, which uses no secret.
 */
function secretOriginOf({ issuer, apiUrl }: ProviderSettings): string {
  const address = issuer || apiUrl || ''
  return URL.canParse(address) ? new URL(address).origin : ''
}

const providerFields = (input: ProviderInput, settings: ProviderSettings) => ({
  name: input.name.trim(),
  nameEn: (input.nameEn ?? '').trim(),
  enabled: input.enabled ?? false,
  position: input.position ?? 0,
  settings,
})

/** Trims values and drops empty ones. */
const dropEmpty = (settings: ProviderSettings): ProviderSettings =>
  Object.fromEntries(
    Object.entries(settings)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
      .filter(([, value]) => value !== '' && value !== false),
  )

/** Names of all settings of a kind. */
export const settingNames = (kind: Kind) => [
  ...settingsByKind[kind].needs,
  ...settingsByKind[kind].has,
]
