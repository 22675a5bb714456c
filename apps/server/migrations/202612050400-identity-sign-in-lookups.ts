import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- One sign-in: a central session with the portal sessions opened from it, or a portal session alone.
    create index session_sign_in on session ((coalesce(central_session_id, id)));
    create index sign_in_person on sign_in (person_id);

    -- The address as counted: an IPv6 client has a whole /64. Rows of the release before have none and are not counted.
    alter table scan_login add column network text not null default '';
    create index scan_login_network on scan_login (network, created_at);
  `.execute(db)
}
