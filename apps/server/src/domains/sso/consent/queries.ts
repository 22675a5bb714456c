import type { Authorization } from '@atrium/contract/sso/consent'
import { type Releasable, releasable } from '@atrium/contract/sso/registry'
import { sql } from 'kysely'
import { usableBy } from '#domains/services/services/visibility.ts'
import type { Party } from '#domains/sso/registry/parties.ts'
import { queueLogoutsOf } from '#domains/sso/registry/single-logout.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'

/** Whether a member must consent before this system receives its attributes: no consent so far, or only for fewer. */
export async function isConsentDue(db: Db, party: Party, accountId: string): Promise<boolean> {
  if (!party.consentNeeded) return false
  const given = await db
    .selectFrom('consent')
    .select('attributes')
    .where('account_id', '=', accountId)
    .where('relying_party_id', '=', party.id)
    .executeTakeFirst()
  return !given || party.attributes.some((attribute) => !given.attributes.includes(attribute))
}

/**
 * Whether a token is still covered by the member's consent. A token that outlives the session must not become valid
 * again when a withdrawn consent is given again.
 * @param given times in seconds since 1970, of a token or the first of its chain
 */
export async function isCoveredByConsent(
  db: Db,
  party: Party,
  accountId: string,
  given: { expiresWithSession?: boolean; iat?: number; iiat?: number },
): Promise<boolean> {
  if (await isConsentDue(db, party, accountId)) return false
  if (given.expiresWithSession || !party.consentNeeded) return true
  const before = await db
    .selectFrom('consent')
    .select(
      sql<boolean>`floor(extract(epoch from given_at)) <= ${given.iiat ?? given.iat ?? 0}`.as(
        'agreed',
      ),
    )
    .where('account_id', '=', accountId)
    .where('relying_party_id', '=', party.id)
    .executeTakeFirst()
  return before?.agreed ?? false
}

export const insertConsent = (db: Db, party: Party, accountId: string) =>
  db
    .insertInto('consent')
    .values({
      account_id: accountId,
      relying_party_id: party.id,
      attributes: party.attributes as Releasable[],
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'relying_party_id'])
        .doUpdateSet({ attributes: party.attributes as Releasable[], given_at: sql`now()` }),
    )
    .execute()

/** Withdraws consent and ends the system's known sessions. @returns whether there was a consent */
export async function deleteConsent(db: Db, accountId: string, partyId: string) {
  const gone = await db
    .deleteFrom('consent')
    .where('account_id', '=', accountId)
    .where('relying_party_id', '=', partyId)
    .returning('relying_party_id')
    .executeTakeFirst()
  await queueLogoutsOf(db, accountId, partyId)
  return gone !== undefined
}

/** Records what a system has just received; the username is included unless it uses pairwise identifiers. */
export const recordRelease = (
  db: Db,
  {
    accountId,
    partyId,
    attributes,
    withUsername = true,
  }: {
    accountId: string
    partyId: string
    attributes: readonly string[]
    withUsername?: boolean
  },
) =>
  sql`
    insert into attribute_release as release (account_id, relying_party_id, attributes)
    values (${accountId}, ${partyId}, ${[...(withUsername ? ['username'] : []), ...attributes]}::text[])
    on conflict (account_id, relying_party_id, attributes)
      do update set last_at = now(), release_count = release.release_count + 1`.execute(db)

/** Whether the viewer may use a catalogue service. */
export async function mayUseService(db: Db, viewer: Member, serviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('service')
    .select('id')
    .where('id', '=', serviceId)
    .where(usableBy(viewer))
    .executeTakeFirst()
  return row !== undefined
}

/** The attributes a system receives of a member, under the registry's names; empty values are omitted. */
export async function findReleased(db: Db, accountId: string, attributes: readonly Releasable[]) {
  const facts = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.id as accountId',
      'person.name',
      'person.email',
      'person.mobile',
      'identity_type.code as identityTypeCode',
      'identity_type.name as identityTypeName',
      'organization.code as organizationCode',
      'organization.name as organizationName',
      sql<string[]>`array(select g.code from group_member m join member_group g on g.id = m.group_id
        where m.account_id = account.id order by g.code)`.as('groups'),
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const names = attributes.flatMap((attribute) => releasable[attribute].values)
  return Object.fromEntries(
    names.map((name) => [name, facts[name]]).filter(([, value]) => (value ?? '').length > 0),
  )
}

type Receipt = Omit<Authorization, 'state'> & { consentNeeded: boolean }

/** Every system that has received attributes of this account or has its consent. */
export async function listReceipts(db: Db, accountId: string): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    with one as (
      select relying_party_id, attribute, min(place) as place, min(first_at) as first_at, max(last_at) as last_at,
        sum(release_count) as release_count
      from attribute_release, unnest(attributes) with ordinality as told (attribute, place)
      where account_id = ${accountId} group by relying_party_id, attribute),
    told as (
      select relying_party_id, max(last_at) as last_at,
        jsonb_agg(jsonb_build_object('attribute', attribute, 'firstAt', ${iso('first_at')}, 'lastAt', ${iso('last_at')},
          'count', release_count) order by place) as released
      from one group by relying_party_id),
    given as (select relying_party_id, given_at from consent where account_id = ${accountId})
    select p.code, coalesce(nullif(p.name, ''), s.name, p.code) as name,
      coalesce(nullif(p.name_en, ''), nullif(s.name_en, ''), nullif(p.name, ''), s.name, p.code) as "nameEn",
      p.service_id as "serviceId", p.purpose, coalesce(nullif(p.purpose_en, ''), p.purpose) as "purposeEn",
      p.consent_needed as "consentNeeded", given.given_at as "agreedAt", told.last_at as "lastAt",
      coalesce(told.released, '[]') as released
    from relying_party p
    left join service s on s.id = p.service_id
    left join told on told.relying_party_id = p.id
    left join given on given.relying_party_id = p.id
    where told.relying_party_id is not null or given.relying_party_id is not null
    order by greatest(told.last_at, given.given_at) desc, p.code`.execute(db)
  return rows
}

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Includes disabled systems. */
export const findPartyId = (db: Db, code: string) =>
  db.selectFrom('relying_party').select('id').where('code', '=', code).executeTakeFirst()
