import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What feedback can be about, and who answers.
    create table feedback_kind (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      name text not null,
      name_en text not null default '',
      description text not null default '',
      description_en text not null default '',
      organization_id bigint references organization on delete set null,
      -- what is about a service goes to the department that offers it
      to_service boolean not null default false,
      online boolean not null default true,
      position integer not null default 0
    );
    create index feedback_kind_organization on feedback_kind (organization_id);

    create table feedback (
      id bigint generated always as identity primary key,
      revision integer not null default 1,
      account_id bigint not null references account on delete cascade,
      -- the sender's own: a second try makes no second one
      key text not null,
      kind_id bigint references feedback_kind,
      service_id bigint references service on delete set null,
      -- who answers; null: the institution
      organization_id bigint references organization on delete set null,
      content text not null,
      place text not null default '',
      contact text not null default '',
      state text not null default 'waiting' check (state in ('waiting', 'handling', 'answered', 'closed')),
      may_publish boolean not null default false,
      published_at timestamptz,
      -- the last answer, which is what is published
      answer text not null default '',
      answered_at timestamptz,
      score smallint check (score between 1 and 5),
      score_comment text not null default '',
      scored_at timestamptz,
      merged_into_id bigint references feedback on delete set null,
      created_at timestamptz not null default now(),
      unique (account_id, key),
      check (merged_into_id <> id)
    );
    create index feedback_own on feedback (account_id, created_at desc, id desc);
    create index feedback_newest on feedback (created_at desc, id desc) where merged_into_id is null;
    create index feedback_state on feedback (state, created_at desc, id desc) where merged_into_id is null;
    create index feedback_merged on feedback (merged_into_id) where merged_into_id is not null;
    create index feedback_kind_of on feedback (kind_id);
    create index feedback_service on feedback (service_id);
    create index feedback_organization on feedback (organization_id);
    create index feedback_published on feedback (published_at desc, id desc) where published_at is not null;

    create table feedback_line (
      id bigint generated always as identity primary key,
      feedback_id bigint not null references feedback on delete cascade,
      author text not null check (author in ('member', 'department')),
      -- who of the department; the member is the author of the feedback
      account_id bigint references account on delete set null,
      text text not null,
      created_at timestamptz not null default now()
    );
    create index feedback_line_feedback on feedback_line (feedback_id, id);
    create index feedback_line_account on feedback_line (account_id);

    -- Who sent a picture: only they can attach it. One that nothing shows any more is taken away after a day.
    create table feedback_upload (
      id bigint generated always as identity primary key,
      file_id bigint not null references file,
      account_id bigint references account on delete set null,
      created_at timestamptz not null default now(),
      unique (file_id, account_id)
    );
    create index feedback_upload_account on feedback_upload (account_id);
    create table feedback_photo (
      feedback_id bigint not null references feedback on delete cascade,
      upload_id bigint not null references feedback_upload,
      position integer not null,
      primary key (feedback_id, upload_id)
    );
    create index feedback_photo_upload on feedback_photo (upload_id);
  `.execute(db)
}
