import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- A system that courses, coursework and marks are read from.
    create table study_source (
      id bigint generated always as identity primary key,
      code text not null unique,
      kind text not null check (kind in ('oneroster', 'moodle')),
      name text not null,
      name_en text not null default '',
      address text not null,
      -- of OneRoster: where tokens are made
      token_url text not null default '',
      client_id text not null default '',
      sealed_secret text,
      every_minutes integer not null default 60 check (every_minutes between 5 and 10080),
      enabled boolean not null default true,
      next_at timestamptz not null default now(),
      -- when it was last read well; what is shown is from then
      read_at timestamptz,
      -- when everything was last read, and not what had changed alone
      full_at timestamptz,
      failures integer not null default 0,
      error text not null default '',
      added integer not null default 0,
      changed integer not null default 0,
      issues jsonb not null default '[]'
    );
    create index study_source_next on study_source (next_at) where enabled;

    -- What a OneRoster source has, by record: it tells what has changed, and the importer wants the whole.
    create table study_source_record (
      source_id bigint not null references study_source on delete cascade,
      file text not null,
      sourced_id text not null,
      cells jsonb not null,
      seen_at timestamptz not null default now(),
      primary key (source_id, file, sourced_id)
    );

    create table study_source_course (
      source_id bigint not null references study_source on delete cascade,
      course_id bigint not null references course on delete cascade,
      primary key (course_id, source_id)
    );
    create index study_source_course_source on study_source_course (source_id);
  `.execute(db)
}
