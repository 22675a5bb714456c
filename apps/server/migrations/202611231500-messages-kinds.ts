import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table message_app
      add column description text not null default '',
      add column description_en text not null default '',
      -- the system that sends as this application; null: the portal itself
      add column relying_party_id bigint references relying_party on delete set null;
    create index message_app_relying_party on message_app (relying_party_id) where relying_party_id is not null;

    -- What an application sends. Without a row for its messages an application has the kind "general".
    create table message_kind (
      id bigint generated always as identity primary key,
      app_id bigint not null references message_app on delete cascade,
      code text not null,
      name text not null,
      name_en text not null default '',
      -- the channels beside the inbox that its messages may take, and those they take until a member chooses
      channels text[] not null default '{}',
      default_channels text[] not null default '{}',
      can_turn_off boolean not null default true,
      -- its messages may pass quiet hours, digests and the limit of an hour
      urgent boolean not null default false,
      keep_days integer not null default 365 check (keep_days between 1 and 3650),
      position integer not null default 0,
      unique (app_id, code)
    );
    insert into message_kind (app_id, code, name, name_en) select id, 'general', '通知', 'General' from message_app;

    alter table message
      add column kind_id bigint references message_kind,
      add column title_en text not null default '',
      add column summary_en text not null default '',
      add column content_en text not null default '',
      add column sender_en text not null default '',
      add column urgent boolean not null default false,
      add column valid_until timestamptz,
      -- what can be opened: [{ text, textEn, url }]
      add column actions jsonb not null default '[]',
      -- the answers to choose from: [{ value, text, textEn }]
      add column choices jsonb not null default '[]',
      add column confirm_until timestamptz,
      add column asks_confirmation boolean not null default false,
      -- the audience rules it was sent to; null: accounts were named
      add column rules jsonb,
      -- the integrator (its code in the registry) and its own id of the message
      add column source text,
      add column source_key text,
      add column withdrawn_at timestamptz,
      -- a broadcast under way: the last account that was dealt with; null: complete
      add column spread_after bigint;
    create unique index message_source on message (source, source_key) where source_key is not null;
    create index message_spreading on message (id) where spread_after is not null;
    create index message_kind_sent on message (kind_id, sent_at);

    create table message_attachment (
      message_id bigint not null references message on delete cascade,
      file_id bigint not null references file,
      name text not null,
      position integer not null default 0,
      primary key (message_id, file_id)
    );
    create index message_attachment_file on message_attachment (file_id);
  `.execute(db)
}
