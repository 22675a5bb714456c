import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What members and visitors did, as their devices recorded it. One partition a month of UTC, made ahead and dropped by
    -- the events area. Who did it is kept as words: a record outlives the account.
    create table user_event (
      occurred_at timestamptz not null,
      event_id uuid not null,
      received_at timestamptz not null default now(),
      code text not null,
      name text not null,
      detail text not null,
      model text not null,
      function_level_one text not null,
      function_level_two text not null,
      object_code text not null,
      object_name text not null,
      object_detail text not null,
      system_name text not null,
      result text not null,
      failure_type text not null,
      failure_detail text not null,
      -- null: a visitor
      account_id bigint,
      operator_code text not null,
      operator_name text not null,
      operator_role_name text not null,
      operator_user_type text not null,
      operator_organization_code text not null,
      operator_organization_detail text not null,
      operator_organization_name text not null,
      os_name text not null,
      os_version text not null,
      user_agent text not null,
      device_type text not null,
      -- 'own' stays here; 'waiting' is still to be passed on to the institution's collector
      forwarding text not null check (forwarding in ('own', 'waiting', 'passed', 'refused')),
      primary key (occurred_at, event_id)
    ) partition by range (occurred_at);
    create index user_event_code on user_event (code, occurred_at);
    create index user_event_waiting on user_event (occurred_at, event_id) where forwarding = 'waiting';
  `.execute(db)
}
