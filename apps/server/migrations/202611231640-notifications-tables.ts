import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table outbox drop constraint outbox_kind_check;
    alter table outbox add constraint outbox_kind_check check (kind in ('sms', 'mail', 'push', 'wecom', 'wechat'));

    -- The key that push services know us by (VAPID, RFC 8292); one row, made at first use.
    create table push_key (
      id boolean primary key default true check (id),
      public_key text not null,
      sealed_private_key text not null,
      created_at timestamptz not null default now()
    );

    -- A browser that takes notifications for an account (RFC 8030, RFC 8291).
    create table push_subscription (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      -- the sign-in on that browser: with its end the notifications end
      session_id uuid not null references session on delete cascade,
      endpoint text not null unique,
      p256dh text not null,
      auth text not null,
      created_at timestamptz not null default now()
    );
    create index push_subscription_account on push_subscription (account_id);
    create index push_subscription_session on push_subscription (session_id);

    -- The channels a member has chosen for a kind of message; without a row the kind's own.
    create table notification_choice (
      account_id bigint not null references account on delete cascade,
      kind_id bigint not null references message_kind on delete cascade,
      channels text[] not null,
      primary key (account_id, kind_id)
    );
    create index notification_choice_kind on notification_choice (kind_id);

    -- When a member wants to be reached; without a row as operators have set it for everybody.
    create table attention_setting (
      account_id bigint primary key references account on delete cascade,
      settings jsonb not null,
      updated_at timestamptz not null default now()
    );
    create table attention_default (
      id boolean primary key default true check (id),
      settings jsonb not null
    );

    -- Messages that are still to be announced to their readers.
    create table notification_waiting (
      account_id bigint not null references account on delete cascade,
      message_id bigint not null references message on delete cascade,
      urgent boolean not null,
      -- the same for messages that say the same
      says text not null,
      created_at timestamptz not null default now(),
      due_at timestamptz not null default now(),
      primary key (account_id, message_id)
    );
    create index notification_waiting_due on notification_waiting (due_at);
    create index notification_waiting_message on notification_waiting (message_id);

    -- What has gone out in the last hours, for the hourly limit and for what has been said.
    create table notification (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      urgent boolean not null,
      says text[] not null,
      message_ids bigint[] not null,
      channels text[] not null,
      sent_at timestamptz not null default now()
    );
    create index notification_account on notification (account_id, sent_at desc);
    create index notification_sent on notification (sent_at);
  `.execute(db)
}
