import type { MessageReason } from '@atrium/contract/work/messages'
import { admits, type Facts, type Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

const tables = {
  identity: 'identity_type',
  organization: 'organization',
  group: 'member_group',
} as const

/** The audience rule that currently includes this member, with its name; null if none does any more. */
export async function nameRule(
  db: Db,
  viewer: Member,
  rules: readonly Rule[],
): Promise<MessageReason['rule']> {
  const rows = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .leftJoin('group_member', 'group_member.account_id', 'account.id')
    .leftJoin('member_group', 'member_group.id', 'group_member.group_id')
    .select(['organization.path', 'member_group.code'])
    .where('account.id', '=', viewer.accountId)
    .execute()
  const memberFacts: Facts = {
    accountId: viewer.accountId,
    identityTypeCode: viewer.identityTypeCode,
    organizationPath: rows[0]?.path ?? [],
    groups: rows.flatMap(({ code }) => code ?? []),
  }
  const matching = rules.filter((rule) => rule.effect === 'include' && admits([rule], memberFacts))
  // A specific rule is more informative than "everybody".
  const rule = matching.find(({ kind }) => kind !== 'everybody') ?? matching[0]
  if (!rule || rule.kind === 'guests') return null
  if (!('target' in rule) || rule.kind === 'account')
    return { kind: rule.kind, name: '', nameEn: '' }
  const row = await db
    .selectFrom(tables[rule.kind])
    .select(['name', 'name_en as nameEn'])
    .where('code', '=', rule.target)
    .executeTakeFirst()
  return { kind: rule.kind, name: row?.name ?? rule.target, nameEn: row?.nameEn ?? '' }
}
