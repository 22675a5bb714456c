import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- Who may send to members, everywhere or in a part of the institution.
    alter table operator_role drop constraint operator_role_permissions_check;
    alter table operator_role add constraint operator_role_permissions_check
      check (permissions <@ array['content', 'services', 'messages', 'send', 'identity', 'system'] and cardinality(permissions) > 0);
    alter table operator_grant drop constraint operator_grant_permission_check;
    alter table operator_grant add constraint operator_grant_permission_check
      check (permission in ('content', 'services', 'messages', 'send', 'identity', 'system'));
    update operator_role set permissions = '{content,services,messages,send,identity,system}' where code = 'administrator' and built_in;
    insert into operator_role (code, name, name_en, permissions, built_in)
      values ('sender', '消息发送人', 'Sender', '{send}', true) on conflict do nothing;

    -- The channels that whoever sends has chosen for a message; null: those of its kind.
    alter table message add column channels text[];

    -- A message that somebody sends by hand, and what it was meant to reach.
    create table sending (
      id bigint generated always as identity primary key,
      -- null: the account is gone; who it was stays in author
      author_account_id bigint references account on delete set null,
      author text not null,
      key text not null,
      status text not null default 'scheduled'
        check (status in ('pending', 'refused', 'scheduled', 'sending', 'sent', 'stopped', 'withdrawn')),
      kind text not null default 'notice',
      -- to its author alone, and in no list
      test boolean not null default false,
      -- as one member to another, without the permission
      as_member boolean not null default false,
      title text not null,
      title_en text not null default '',
      content text not null default '',
      content_en text not null default '',
      url text not null default '',
      files jsonb not null default '[]',
      choices jsonb not null default '[]',
      channels text[] not null,
      asks_confirmation boolean not null,
      confirm_until timestamptz,
      -- the entries of the chooser
      chosen jsonb not null,
      -- codes of the organisations its author may send to, with all below them; null: to everybody
      within text[],
      -- recipients that were shown before it was sent, and those it went to
      expected integer not null,
      recipients integer,
      message_id bigint references message on delete set null,
      created_at timestamptz not null default now(),
      send_at timestamptz not null default now(),
      -- recipients a minute; null: as fast as they can be reached
      per_minute integer check (per_minute > 0),
      -- when the next batch goes out
      next_at timestamptz not null default now(),
      paused_at timestamptz,
      -- the second person, where one is needed
      approver_account_id bigint references account on delete set null,
      approver text not null default '',
      decided_at timestamptz,
      refusal text not null default '',
      finished_at timestamptz,
      withdrawn_at timestamptz,
      unique (author_account_id, key)
    );
    create index sending_author on sending (author_account_id, id desc);
    create index sending_due on sending (next_at) where status in ('scheduled', 'sending') and paused_at is null;
    create index sending_pending on sending (id) where status = 'pending';
    create index sending_approver on sending (approver_account_id);
    create unique index sending_message on sending (message_id);

    -- Each recipient, fixed at the moment it goes out.
    create table sending_recipient (
      id bigint generated always as identity,
      sending_id bigint not null references sending on delete cascade,
      -- null with an outside contact, and when the account is gone
      account_id bigint references account on delete set null,
      contact_kind text check (contact_kind in ('email', 'phone')),
      contact text not null default '',
      -- by which channels beside the inbox it is to be reached
      channels text[] not null,
      delivered_at timestamptz,
      -- why it was not: its account was closed in between, or the message was stopped
      failure text,
      primary key (sending_id, id)
    );
    create unique index sending_recipient_account on sending_recipient (sending_id, account_id);
    create index sending_recipient_of_account on sending_recipient (account_id);
    create index sending_recipient_waiting on sending_recipient (sending_id, id) where delivered_at is null and failure is null;

    -- What went out by a channel beside the inbox.
    create table sending_channel (
      -- not a foreign key: the outbox is cleared long before
      outbox_id bigint not null,
      sending_id bigint not null,
      recipient_id bigint not null,
      channel text not null,
      status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
      error text not null default '',
      queued_at timestamptz not null default now(),
      finished_at timestamptz,
      -- one notification may tell of several messages
      primary key (outbox_id, recipient_id),
      foreign key (sending_id, recipient_id) references sending_recipient (sending_id, id) on delete cascade
    );
    create index sending_channel_recipient on sending_channel (sending_id, recipient_id);
    create index sending_channel_month on sending_channel (queued_at);

    -- Those who have not confirmed or answered are told once more, in batches.
    create table sending_reminder (
      id bigint generated always as identity primary key,
      sending_id bigint not null references sending on delete cascade,
      channels text[] not null,
      created_at timestamptz not null default now(),
      -- the last recipient who was looked at
      after bigint not null default 0,
      reminded integer not null default 0,
      finished_at timestamptz
    );
    create index sending_reminder_sending on sending_reminder (sending_id);
    create index sending_reminder_open on sending_reminder (id) where finished_at is null;

    -- What somebody is writing.
    create table sending_draft (
      account_id bigint primary key references account on delete cascade,
      draft jsonb not null,
      saved_at timestamptz not null default now()
    );

    -- One row: the rules for sending.
    create table sending_policy (
      id boolean primary key default true check (id),
      policy jsonb not null
    );

    -- A reminder's channels in place of the message's.
    alter table notification_waiting add column channels text[];
  `.execute(db)
}
