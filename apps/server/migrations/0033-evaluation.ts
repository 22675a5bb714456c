import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What services are judged by where judging is detailed.
    create table evaluation_standard (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      position integer not null default 0
    );

    create table evaluation (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      service_id bigint not null references service on delete cascade,
      stars smallint not null check (stars between 1 and 5),
      comment text not null default '',
      reply text not null default '',
      replied_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (account_id, service_id)
    );
    create index evaluation_list on evaluation (service_id, updated_at desc, id desc) include (stars);

    create table evaluation_score (
      evaluation_id bigint not null references evaluation on delete cascade,
      standard_id bigint not null references evaluation_standard on delete cascade,
      stars smallint not null check (stars between 1 and 5),
      primary key (evaluation_id, standard_id)
    );
    create index evaluation_score_standard on evaluation_score (standard_id);

    -- Who sent a picture: only they can attach it. One that nothing shows any more is taken away after a day.
    create table evaluation_upload (
      id bigint generated always as identity primary key,
      file_id bigint not null references file,
      account_id bigint references account on delete set null,
      created_at timestamptz not null default now(),
      unique (file_id, account_id)
    );
    create index evaluation_upload_account on evaluation_upload (account_id);
    create table evaluation_photo (
      evaluation_id bigint not null references evaluation on delete cascade,
      upload_id bigint not null references evaluation_upload,
      position integer not null,
      primary key (evaluation_id, upload_id)
    );
    create index evaluation_photo_upload on evaluation_photo (upload_id);
  `.execute(db)
}
