import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    create table message_app (
      id bigint generated always as identity primary key,
      code text not null unique,
      name text not null,
      name_en text not null default '',
      glyph text not null default 'message',
      tone text not null default 'blue',
      position integer not null default 0
    );

    -- The text, once, however many people it was sent to.
    create table message (
      id bigint generated always as identity primary key,
      app_id bigint not null references message_app,
      title text not null,
      summary text not null default '',
      content text not null default '',
      sender text not null default '',
      url text not null default '',
      sent_at timestamptz not null default now()
    );

    -- A message in one member's box.
    create table message_delivery (
      account_id bigint not null references account on delete cascade,
      message_id bigint not null references message on delete cascade,
      app_id bigint not null references message_app,
      sent_at timestamptz not null,
      read_at timestamptz,
      starred boolean not null default false,
      primary key (account_id, message_id)
    );
    create index message_delivery_list on message_delivery (account_id, sent_at desc, message_id desc);
    create index message_delivery_app_list on message_delivery (account_id, app_id, sent_at desc, message_id desc);
    create index message_delivery_unread on message_delivery (account_id, app_id) where read_at is null;
    create index message_delivery_message on message_delivery (message_id);

    -- What one member's box of one application shows in the list: kept by the triggers below, so that a count is never
    -- wrong and never counted on a request.
    create table message_box (
      account_id bigint not null references account on delete cascade,
      app_id bigint not null references message_app,
      unread integer not null default 0,
      last_message_id bigint references message on delete set null,
      last_sent_at timestamptz,
      topped_at timestamptz,
      muted boolean not null default false,
      primary key (account_id, app_id)
    );

    create function message_box_after_insert() returns trigger language plpgsql as $$
    begin
      insert into message_box as box (account_id, app_id, unread, last_message_id, last_sent_at)
      select account_id, app_id, count(*) filter (where read_at is null),
             (array_agg(message_id order by sent_at desc, message_id desc))[1], max(sent_at)
      from added group by account_id, app_id
      order by account_id, app_id -- one order for everybody: no deadlock between two broadcasts
      on conflict (account_id, app_id) do update set
        unread = box.unread + excluded.unread,
        last_message_id = case when box.last_sent_at is null or excluded.last_sent_at >= box.last_sent_at
                               then excluded.last_message_id else box.last_message_id end,
        last_sent_at = greatest(box.last_sent_at, excluded.last_sent_at);
      return null;
    end $$;
    create trigger message_box_after_insert after insert on message_delivery
      referencing new table as added for each statement execute function message_box_after_insert();

    create function message_box_after_update() returns trigger language plpgsql as $$
    begin
      update message_box box set unread = box.unread + delta.n
      from (
        select new_row.account_id, new_row.app_id,
               sum((new_row.read_at is null)::int - (old_row.read_at is null)::int) as n
        from new_rows new_row join old_rows old_row using (account_id, message_id)
        group by 1, 2
      ) delta
      where box.account_id = delta.account_id and box.app_id = delta.app_id and delta.n <> 0;
      return null;
    end $$;
    create trigger message_box_after_update after update on message_delivery
      referencing new table as new_rows old table as old_rows for each statement execute function message_box_after_update();

    create function message_box_after_delete() returns trigger language plpgsql as $$
    begin
      update message_box box set unread = box.unread - gone.unread, last_message_id = last.message_id, last_sent_at = last.sent_at
      from (select account_id, app_id, count(*) filter (where read_at is null) as unread from removed group by 1, 2) gone
      left join lateral (
        select d.message_id, d.sent_at from message_delivery d
        where d.account_id = gone.account_id and d.app_id = gone.app_id
        order by d.sent_at desc, d.message_id desc limit 1
      ) last on true
      where box.account_id = gone.account_id and box.app_id = gone.app_id;
      return null;
    end $$;
    create trigger message_box_after_delete after delete on message_delivery
      referencing old table as removed for each statement execute function message_box_after_delete();
  `.execute(db)
}
