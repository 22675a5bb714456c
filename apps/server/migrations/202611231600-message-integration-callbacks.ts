import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    alter table message_app
      -- the system that is told what recipients do; empty: none
      add column callback_url text not null default '',
      add column sealed_callback_secret text,
      add column callback_failures integer not null default 0,
      add column callback_due_at timestamptz not null default now(),
      add column callback_error text not null default '';
    alter table message_kind
      -- calls of its sender; null: as many as it likes
      add column max_per_hour integer,
      -- texts with {{variables}}: { title, titleEn, summary, summaryEn, content, contentEn }
      add column template jsonb;

    -- What recipients did that the sender is still to be told of, oldest first.
    create table message_event (
      id bigint generated always as identity primary key,
      app_id bigint not null references message_app on delete cascade,
      message_id bigint not null references message on delete cascade,
      account_id bigint not null references account on delete cascade,
      kind text not null check (kind in ('delivered', 'read', 'confirmed', 'answered')),
      answer text,
      happened_at timestamptz not null default now()
    );
    create index message_event_app on message_event (app_id, id);
    create index message_event_message on message_event (message_id);
    create index message_event_account on message_event (account_id);

    create function message_event_after_insert() returns trigger language plpgsql as $$
    declare recorded integer;
    begin
      insert into message_event (app_id, message_id, account_id, kind)
      select added.app_id, added.message_id, added.account_id, 'delivered'
      from added join message_app app on app.id = added.app_id where app.callback_url <> '';
      get diagnostics recorded = row_count;
      if recorded > 0 then perform pg_notify('atrium', '{"kind":"callback","key":""}'); end if;
      return null;
    end $$;
    create trigger message_event_after_insert after insert on message_delivery
      referencing new table as added for each statement execute function message_event_after_insert();

    create function message_event_after_update() returns trigger language plpgsql as $$
    declare recorded integer;
    begin
      insert into message_event (app_id, message_id, account_id, kind, answer)
      select new_row.app_id, new_row.message_id, new_row.account_id, happened.kind,
             case happened.kind when 'answered' then new_row.answer end
      from new_rows new_row
      join message_app app on app.id = new_row.app_id and app.callback_url <> ''
      join old_rows old_row on old_row.account_id = new_row.account_id and old_row.message_id = new_row.message_id
      cross join lateral (values
        ('read', old_row.read_at is null and new_row.read_at is not null),
        ('confirmed', old_row.confirmed_at is null and new_row.confirmed_at is not null),
        ('answered', old_row.answer is null and new_row.answer is not null)) as happened (kind, now)
      where happened.now;
      get diagnostics recorded = row_count;
      if recorded > 0 then perform pg_notify('atrium', '{"kind":"callback","key":""}'); end if;
      return null;
    end $$;
    create trigger message_event_after_update after update on message_delivery
      referencing new table as new_rows old table as old_rows for each statement execute function message_event_after_update();
  `.execute(db)
}
