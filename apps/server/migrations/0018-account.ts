import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- signing in by short message can be turned off by the person
    alter table person add column sms_login boolean not null default true;

    -- What a session has shown beyond its confirmation; used up by the change it was shown for.
    create table account_proof (
      session_id uuid not null references session on delete cascade,
      kind text not null check (kind in ('mobile', 'email', 'questions')),
      proved_at timestamptz not null default now(),
      primary key (session_id, kind)
    );

    create table security_question (
      person_id bigint not null references person on delete cascade,
      position integer not null check (position between 1 and 3),
      -- a name of the list, or the person's own words
      question text not null,
      answer_hash text not null,
      created_at timestamptz not null default now(),
      primary key (person_id, position)
    );
  `.execute(db)
}
