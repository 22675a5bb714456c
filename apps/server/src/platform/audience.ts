import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'

/**
 * One rule of an audience. `everybody` matches each signed-in member, `guests` visitors without a session; public
 * content has both. `organization` includes all organisations below it. Targets are codes, for `account` its id.
 */
export type Rule =
  | { effect: 'include' | 'exclude'; kind: 'everybody' | 'guests' }
  | {
      effect: 'include' | 'exclude'
      kind: 'identity' | 'organization' | 'group' | 'account'
      target: string
    }

/** The facts that rules are matched against. A visitor has no account. */
export type Facts = {
  accountId: string | null
  identityTypeCode: string | null
  /** codes from the root down to the member's own organisation */
  organizationPath: readonly string[]
  groups: readonly string[]
}
export const visitorFacts: Facts = {
  accountId: null,
  identityTypeCode: null,
  organizationPath: [],
  groups: [],
}

/** The audiences a viewer belongs to. Viewers with the same set see the same content and may share cached bodies. */
export type AudienceState = {
  audiences: readonly number[]
  /** Cache key of that set; null if a rule names this account, and then nothing is cached. */
  audienceClass: string | null
}

const matches = (rule: Rule, facts: Facts): boolean => {
  switch (rule.kind) {
    case 'everybody':
      return facts.accountId !== null
    case 'guests':
      return facts.accountId === null
    case 'identity':
      return facts.identityTypeCode === rule.target
    case 'organization':
      return facts.organizationPath.includes(rule.target)
    case 'group':
      return facts.groups.includes(rule.target)
    case 'account':
      return facts.accountId === rule.target
  }
}

/** In the audience: at least one include rule matches and no exclude rule does. */
export const admits = (rules: readonly Rule[], facts: Facts): boolean =>
  rules.some((rule) => rule.effect === 'include' && matches(rule, facts)) &&
  !rules.some((rule) => rule.effect === 'exclude' && matches(rule, facts))

export function evaluateAudiences(
  audiences: ReadonlyMap<number, readonly Rule[]>,
  facts: Facts,
): AudienceState {
  const ids: number[] = []
  let named = false
  for (const [id, rules] of audiences) {
    if (admits(rules, facts)) ids.push(id)
    named ||= rules.some((rule) => rule.kind === 'account' && rule.target === facts.accountId)
  }
  return { audiences: ids, audienceClass: named ? null : ids.join(',') }
}

export async function listAudiences(db: Db): Promise<Map<number, readonly Rule[]>> {
  const rows = await db.selectFrom('audience').select(['id', 'rules']).orderBy('id').execute()
  return new Map(rows.map((row) => [row.id, row.rules as unknown as Rule[]]))
}

/** Returns the id of the audience with these rules, creating it if needed. Equal rule sets share one row. */
export async function audienceFor(db: Db, rules: readonly Rule[]): Promise<number> {
  const canonical = rules
    .map((rule) => ({
      effect: rule.effect,
      kind: rule.kind,
      ...('target' in rule && { target: rule.target }),
    }))
    .map((rule) => JSON.stringify(rule))
    .sort()
  const rulesKey = `[${[...new Set(canonical)].join(',')}]`
  const found = await db
    .selectFrom('audience')
    .select('id')
    .where('rules_key', '=', rulesKey)
    .executeTakeFirst()
  if (found) return found.id
  const { id } = await db
    .insertInto('audience')
    .values({ rules: rulesKey, rules_key: rulesKey })
    .onConflict((conflict) => conflict.column('rules_key').doUpdateSet({ rules_key: rulesKey }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await invalidate(db, 'audience')
  return id
}

/** SQL condition: the viewer belongs to the audience in the row's `audience_id` column. */
export const visibleTo = (
  viewer: Pick<AudienceState, 'audiences'>,
  column = 'audience_id',
): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${viewer.audiences as number[]}::integer[])`

/** The SQL counterpart of `admits`: a condition on `account` joined with its `organization`. */
export function admittedAccounts(rules: readonly Rule[]): RawBuilder<boolean> {
  const condition = (rule: Rule) => {
    switch (rule.kind) {
      case 'everybody':
        return sql<boolean>`true`
      case 'guests':
        return sql<boolean>`false`
      case 'identity':
        return sql<boolean>`account.identity_type_code = ${rule.target}`
      case 'organization':
        return sql<boolean>`${rule.target} = any(organization.path)`
      case 'group':
        return sql<boolean>`exists (
          select from group_member m join member_group g on g.id = m.group_id where m.account_id = account.id and g.code = ${rule.target})`
      case 'account':
        return sql<boolean>`account.id = ${rule.target}::bigint`
    }
  }
  const any = (effect: Rule['effect']) => {
    const of = rules.filter((rule) => rule.effect === effect).map(condition)
    return of.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(of, sql` or `)})`
  }
  return sql<boolean>`${any('include')} and not ${any('exclude')}`
}
