import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Where people answer what the robot cannot.
    create table desk (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      name text not null,
      name_en text not null default '',
      organization_id bigint references organization on delete set null,
      audience_id integer not null references audience,
      -- in the notation of OpenStreetMap; empty: always
      hours text not null default '',
      online boolean not null default true,
      position integer not null default 0
    );
    create index desk_organization on desk (organization_id);

    create table desk_agent (
      desk_id bigint not null references desk on delete cascade,
      account_id bigint not null references account on delete cascade,
      primary key (desk_id, account_id)
    );
    create index desk_agent_account on desk_agent (account_id);

    -- A dialog at a desk.
    create table desk_case (
      dialog_id bigint primary key references dialog on delete cascade,
      desk_id bigint not null references desk on delete cascade,
      agent_account_id bigint references account on delete set null,
      state text not null default 'waiting' check (state in ('waiting', 'agent', 'closed')),
      requested_at timestamptz not null default now(),
      -- when the member wrote last
      member_at timestamptz not null default now(),
      -- when the member was last told by a message that there is an answer
      told_at timestamptz
    );
    create index desk_case_waiting on desk_case (desk_id, requested_at) where state = 'waiting';
    create index desk_case_newest on desk_case (desk_id, member_at desc);
    create index desk_case_agent on desk_case (agent_account_id);

    create table desk_phrase (
      id bigint generated always as identity primary key,
      desk_id bigint not null references desk on delete cascade,
      title text not null,
      text text not null
    );
    create index desk_phrase_desk on desk_phrase (desk_id);
  `.execute(db)
}
