import type { Releasable } from '@atrium/contract/sso/registry'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { isSessionActive } from '#platform/http/guard.ts'

/** Minutes after a sign-in within which its first ticket counts as a new login. */
const freshMinutes = 5

/** The active central session of a cookie; marks it as in use. */
export async function findCentralSession(db: Db, secretHash: string) {
  const { rows } = await sql<{
    id: string
    accountId: string
    way: string
    strong: boolean
    confirmedAt: string
    expiresAt: string
    remembered: boolean
    ticketed: boolean
    username: string
    name: string
  }>`
    with found as (
      select session.*, account.username, person.name
      from session
      join account on account.id = session.account_id and account.status = 'active'
      join person on person.id = account.person_id
      where session.secret_hash = ${secretHash} and session.kind = 'central' and ${isSessionActive}),
    used as (
      update session set last_seen_at = now() from found
      where session.id = found.id and session.last_seen_at < now() - interval '1 minute' and session.revoked_at is null)
    select id, account_id as "accountId", way, strong, confirmed_at as "confirmedAt", expires_at as "expiresAt",
      remembered, ticketed_at is not null as ticketed, username, name
    from found`.execute(db)
  return rows[0]
}

/**
 * Marks the session as ticketed; of concurrent calls only one succeeds.
 * @returns whether the ticket is the first of a session that has just been opened
 */
export async function markFirstTicket(db: Db, sessionId: string): Promise<boolean> {
  const first = await db
    .updateTable('session')
    .set({ ticketed_at: sql<string>`now()`, last_seen_at: sql<string>`now()` })
    .where('id', '=', sessionId)
    .where('ticketed_at', 'is', null)
    .returning(
      sql<boolean>`created_at > now() - make_interval(mins => ${freshMinutes})`.as('fresh'),
    )
    .executeTakeFirst()
  return first?.fresh ?? false
}

/** A ticket presented by a service for validation. */
export type PresentedTicket = {
  /** see `ticketId` */
  id: string
  sessionId: string
  partyId: string
  /** attributes the system may receive besides the username */
  attributes: readonly Releasable[]
  /** if false, the ticket is spent but the member is not revealed */
  good: boolean
  /** the sealed ticket, for the later logout notice; null if the system gets none */
  sealedKey: string | null
}

export type TicketFacts = {
  username: string
  authenticatedAt: string
  remembered: boolean
  name: string
  identityTypeCode: string
  identityTypeName: string
  organizationCode: string
  organizationName: string
  email: string
  mobile: string
  /** empty if the system may not receive them */
  groups: string[]
}

/**
 * Redeems tickets; for the good ones it returns the member, records the release of attributes, and stores the system's
 * session. All in one statement, so that only one of several concurrent validations succeeds, and a logout happens
 * entirely before or after it. The row stored for a ticket records both its use and the session.
 *
 * The parts are `materialized` because PostgreSQL cannot estimate the number of tickets; otherwise it compares each
 * with each.
 * @param shown each ticket once
 * @returns by id the facts to release, or null if the session has ended, the system is disabled or the member's consent
 * is missing; no entry if the ticket was used before
 */
export async function redeemTickets(
  db: Db,
  shown: readonly PresentedTicket[],
): Promise<Map<string, TicketFacts | null>> {
  const column = <K extends keyof PresentedTicket>(name: K) => shown.map((ticket) => ticket[name])
  const { rows } = await sql<TicketFacts & { id: string; good: boolean }>`
    with shown as materialized (
      select * from unnest(${column('id')}::uuid[], ${column('sessionId')}::uuid[], ${column('partyId')}::bigint[],
        ${shown.map(({ attributes }) => ['username', ...attributes].join())}::text[], ${column('good')}::boolean[],
        ${column('sealedKey')}::text[]) as shown (id, session_id, party_id, attributes, good, sealed_key)),
    there as materialized (
      select shown.*, party.consent_needed, session.account_id, account.username,
        session.confirmed_at as "authenticatedAt", session.remembered, person.name, person.email, person.mobile,
        account.identity_type_code as "identityTypeCode", identity_type.name as "identityTypeName",
        organization.code as "organizationCode", organization.name as "organizationName"
      from shown
      join session on session.id = shown.session_id and ${isSessionActive}
      join relying_party party on party.id = shown.party_id and party.enabled
      join account on account.id = session.account_id and account.status = 'active'
      join person on person.id = account.person_id
      join identity_type on identity_type.code = account.identity_type_code
      join organization on organization.id = account.organization_id
      where shown.good
      -- One order for all, so that nobody waits in a circle.
      order by session.id for share of session),
    -- Taken back meanwhile; whoever takes it back now waits, and ends the session there too.
    agreed as materialized (
      select there.id from there
      join consent on consent.account_id = there.account_id and consent.relying_party_id = party_id
        and array_prepend('username', consent.attributes) @> string_to_array(there.attributes, ',')
      where consent_needed
      order by consent.account_id, consent.relying_party_id for key share of consent),
    live as materialized (select * from there where not consent_needed or id in (select id from agreed)),
    used as (
      insert into relying_party_session (id, session_id, relying_party_id, protocol, sealed_key)
      select shown.id, case when live.sealed_key is not null then live.session_id end, shown.party_id, 'cas', live.sealed_key
      from shown left join live on live.id = shown.id
      order by shown.id
      on conflict do nothing returning id),
    told as (
      insert into attribute_release as release (account_id, relying_party_id, attributes, release_count)
      select account_id, party_id, string_to_array(attributes, ','), count(*)
      from live join used using (id)
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, relying_party_id, attributes)
        do update set last_at = now(), release_count = release.release_count + excluded.release_count)
    select used.id, live.id is not null as good, username, "authenticatedAt", remembered, name, "identityTypeCode",
      "identityTypeName", "organizationCode", "organizationName", email, mobile,
      case when 'groups' = any(string_to_array(attributes, ',')) then array(
        select g.code from group_member m join member_group g on g.id = m.group_id
        where m.account_id = live.account_id order by g.code) else '{}' end as groups
    from used left join live on live.id = used.id`.execute(db)
  return new Map(rows.map(({ id, good, ...told }) => [id, good ? told : null]))
}
