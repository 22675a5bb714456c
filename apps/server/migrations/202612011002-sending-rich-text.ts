import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How the text was written, and what its author has given for {{name}} in it; null: it has no variables.
    alter table sending
      add column format text not null default 'text' check (format in ('text', 'html')),
      add column variables jsonb;

    -- A text that somebody keeps to send again.
    create table sending_template (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      -- whoever sends in this department may use it, too; null: its owner alone
      shared_organization_id bigint references organization on delete set null,
      name text not null,
      kind text not null default 'notice',
      format text not null default 'text' check (format in ('text', 'html')),
      title text not null,
      title_en text not null default '',
      content text not null default '',
      content_en text not null default '',
      changed_at timestamptz not null default now()
    );
    create index sending_template_account on sending_template (account_id);
    create index sending_template_shared on sending_template (shared_organization_id)
      where shared_organization_id is not null;
  `.execute(db)
}
