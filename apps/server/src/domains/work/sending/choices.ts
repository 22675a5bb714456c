import type { Recipient, SendingOrganization } from '@atrium/contract/work/sending'
import { sql } from 'kysely'
import { accountsNamed } from '#domains/identity/members/name-index.ts'
import type { Db } from '#platform/database/db.ts'
import { pattern } from '#platform/http/paging.ts'
import { isWithin, type SendingScope } from './recipients.ts'

/** Maximum people returned by one search; longer lists are impractical on a phone. */
const maxResults = 30
const maxListed = 200

const toResult = <Row>(rows: Row[], limit: number) => ({
  list: rows.slice(0, limit),
  more: rows.length > limit,
})

export const selectPeople = (db: Db, within: SendingScope) =>
  db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .select([
      'account.username as accountName',
      'person.name',
      'person.name_en as nameEn',
      'organization.name as organization',
      'organization.name_en as organizationEn',
      'identity_type.name as identityType',
      'identity_type.name_en as identityTypeEn',
    ])
    .where('account.status', '<>', 'disabled')
    .where(isWithin(within))

/**
 * Matches the start of a name (characters, pinyin, initials or English) or of a username, closest first.
 * @param exactly match the whole name or username only, so that members writing to members cannot browse people
 */
export async function findPeople(
  db: Db,
  within: SendingScope,
  keyWords: string,
  { exactly = false, condition = sql<boolean>`true` } = {},
) {
  const whole = keyWords.trim().toLowerCase()
  if (!whole) return { list: [], more: false }
  if (exactly) {
    const rows = await selectPeople(db, within)
      .where(sql<boolean>`(lower(person.name) = ${whole} or account.username = ${whole})`)
      .where(condition)
      .orderBy('account.username')
      .limit(maxResults + 1)
      .execute()
    return toResult(rows, maxResults)
  }
  const isReachable = sql<boolean>`account.status <> 'disabled' and ${isWithin(within)}`
  const matches = accountsNamed(keyWords, isReachable, maxResults * 8)
  const rows = await selectPeople(db, within)
    .innerJoin(sql<{ id: string; place: number }>`${matches}`.as('named'), (join) =>
      join.onRef('named.id', '=', 'account.id'),
    )
    .orderBy('named.place')
    .orderBy('account.username')
    .limit(maxResults + 1)
    .execute()
  return toResult(rows, maxResults)
}

/**
 * The organisations below `ins_code`; without it, the topmost ones in the sender's scope; with key words, matches by
 * name.
 */
export async function findOrganizations(
  db: Db,
  within: SendingScope,
  { ins_code: parentCode, keyWords }: { ins_code?: string; keyWords?: string },
): Promise<{ list: SendingOrganization[]; more: boolean }> {
  const top = within === null ? sql<boolean>`parent_id is null` : isOneOf(within)
  const filter = keyWords?.trim()
    ? sql<boolean>`(lower(name) like ${pattern(keyWords)} or lower(name_en) like ${pattern(keyWords)})`
    : parentCode
      ? sql<boolean>`parent_id = (select id from organization above where above.code = ${parentCode})`
      : top
  const rows = await db
    .selectFrom('organization')
    .select(['code as ins_code', 'name', 'name_en as nameEn'])
    .select(
      sql<boolean>`exists (select from organization below where below.parent_id = organization.id)`.as(
        'hasBelow',
      ),
    )
    .where(isWithin(within))
    .where(filter)
    .orderBy('position')
    .orderBy('name')
    .limit(maxListed + 1)
    .execute()
  const { rows: counts } = await sql<{ code: string; members: number }>`
    select above as code, count(*)::integer as members
    from account join organization on organization.id = account.organization_id cross join unnest(organization.path) as above
    where account.status <> 'disabled' and above = any(${rows.map(({ ins_code }) => ins_code)}::text[])
    group by above`.execute(db)
  const members = new Map(counts.map((row) => [row.code, row.members]))
  return toResult(
    rows.map((row) => ({ ...row, members: members.get(row.ins_code) ?? 0 })),
    maxListed,
  )
}
const isOneOf = (codes: readonly string[]) =>
  sql<boolean>`organization.code = any(${codes as string[]}::text[])`

/** Groups, each with the number of its members the sender may reach. */
export async function findGroups(db: Db, within: SendingScope, keyWords: string | undefined) {
  const rows = await db
    .selectFrom('member_group as g')
    .select(['g.code as group_code', 'g.name', 'g.name_en as nameEn'])
    .select(
      sql<number>`(select count(*)::integer from group_member m join account on account.id = m.account_id
        join organization on organization.id = account.organization_id
        where m.group_id = g.id and account.status <> 'disabled' and ${isWithin(within)})`.as(
        'members',
      ),
    )
    .$if(!!keyWords?.trim(), (query) =>
      query.where(
        sql<boolean>`(lower(g.name) like ${pattern(keyWords ?? '')} or lower(g.name_en) like ${pattern(keyWords ?? '')})`,
      ),
    )
    .orderBy('g.name')
    .limit(maxListed + 1)
    .execute()
  return toResult(rows, maxListed)
}

/** Resolves pasted lines to people: by a username in any cell, or by a name that only one reachable person has. */
export async function findByLines(db: Db, within: SendingScope, lines: readonly string[]) {
  const cells = lines.map((line) =>
    line
      .split(/[\t,;，；]/)
      .map((cell) => cell.trim().toLowerCase())
      .filter(Boolean),
  )
  const texts = [...new Set(cells.flat())]
  const maxRows = lines.length * 10
  const rows = await selectPeople(db, within)
    .where(
      sql<boolean>`(account.username = any(${texts}::text[]) or lower(person.name) = any(${texts}::text[]))`,
    )
    .orderBy(sql`account.username = any(${texts}::text[])`, 'desc')
    .orderBy('account.username')
    .limit(maxRows + 1)
    .execute()
  const byUsername = new Map(rows.map((row) => [row.accountName, row]))
  // A truncated list does not show whether a name is unique.
  const namedRows = rows.length > maxRows ? [] : rows
  const byName = Map.groupBy(namedRows, ({ name }) => name.toLowerCase())
  const resolved = cells.map((line) => {
    const matches = line.flatMap((cell) => byUsername.get(cell) ?? [])
    if (matches.length > 0) return matches.length === 1 ? matches[0] : undefined
    const people = line.flatMap((cell) => byName.get(cell) ?? [])
    return people.length === 1 ? people[0] : undefined
  })
  return {
    list: [...new Set(resolved.filter((one) => one !== undefined))],
    unknown: lines.filter((_, index) => resolved[index] === undefined),
  }
}

/** The recipient entries with their current names; a deleted one is named by its code. */
export async function nameRecipients(db: Db, entries: readonly Recipient[]) {
  const codes = (read: (entry: Recipient) => string | undefined) =>
    entries.flatMap((entry) => read(entry) ?? [])
  const { rows } = await sql<{ kind: string; code: string; name: string }>`
    select 'account' as kind, account.username as code, person.name
    from account join person on person.id = account.person_id
    where account.username = any(${codes((one) => ('accountName' in one ? one.accountName : undefined))}::text[])
    union all select 'group', code, name from member_group
    where code = any(${codes((one) => ('group_code' in one ? one.group_code : undefined))}::text[])
    union all select 'organization', code, name from organization
    where code = any(${codes((one) => ('ins_code' in one ? one.ins_code : undefined))}::text[])
    union all select 'identity', code, name from identity_type
    where code = any(${codes((one) => ('identityType' in one ? one.identityType : undefined))}::text[])
    union all select 'list', id::text, name from address_book_group
    where id = any(${codes((one) => ('listId' in one ? one.listId : undefined))}::bigint[])
    union all select 'course', id::text, name from course
    where id = any(${codes((one) => ('courseId' in one ? one.courseId : undefined))}::bigint[])
    union all select 'event', id::text, title from event
    where id = any(${codes((one) => ('eventId' in one ? one.eventId : undefined))}::bigint[])`.execute(
    db,
  )
  const names = new Map(rows.map(({ kind, code, name }) => [`${kind} ${code}`, name]))
  return entries.map((entry) => {
    const [kind, code] =
      'accountName' in entry
        ? ['account', entry.accountName]
        : 'group_code' in entry
          ? ['group', entry.group_code]
          : 'ins_code' in entry
            ? ['organization', entry.ins_code]
            : 'identityType' in entry
              ? ['identity', entry.identityType]
              : 'listId' in entry
                ? ['list', entry.listId]
                : 'courseId' in entry
                  ? ['course', entry.courseId]
                  : 'eventId' in entry
                    ? ['event', entry.eventId]
                    : ['contact', entry.contactsNumber]
    return { entry, name: names.get(`${kind} ${code}`) ?? code }
  })
}
