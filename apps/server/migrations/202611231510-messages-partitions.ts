import { type Kysely, sql } from 'kysely'

// Deliveries lie in one partition a quarter (UTC), so that what has been kept long enough is dropped and not deleted. The
// table keeps its name and columns: the release before reads and writes it as before.
export async function up(db: Kysely<unknown>) {
  await sql`
    drop trigger message_box_after_insert on message_delivery;
    drop trigger message_box_after_update on message_delivery;
    drop trigger message_box_after_delete on message_delivery;
    alter table message_delivery rename to message_delivery_unpartitioned;
    alter index message_delivery_pkey rename to message_delivery_unpartitioned_pkey;
    drop index message_delivery_list, message_delivery_app_list, message_delivery_unread, message_delivery_message;

    create table message_delivery (
      account_id bigint not null references account on delete cascade,
      message_id bigint not null references message on delete cascade,
      app_id bigint not null references message_app,
      -- the message's own: (account_id, message_id) alone is unique
      sent_at timestamptz not null,
      delivered_at timestamptz not null default now(),
      read_at timestamptz,
      starred boolean not null default false,
      confirmed_at timestamptz,
      -- the value of the choice that was made
      answer text,
      answered_at timestamptz,
      -- taken off the list by its reader, or withdrawn by its sender
      hidden text check (hidden in ('deleted', 'withdrawn')),
      hidden_at timestamptz,
      primary key (account_id, message_id, sent_at)
    ) partition by range (sent_at);

    do $$
    declare
      first date := date_trunc('quarter', now() at time zone 'utc' - interval '12 months');
      quarter date := first;
    begin
      execute format('create table message_delivery_past partition of message_delivery for values from (minvalue) to (%L)', first::text || ' 00:00:00+00');
      while quarter <= now() + interval '3 months' loop
        execute format('create table %I partition of message_delivery for values from (%L) to (%L)',
          'message_delivery_' || to_char(quarter, 'YYYY_MM'), quarter::text || ' 00:00:00+00',
          (quarter + interval '3 months')::date::text || ' 00:00:00+00');
        quarter := quarter + interval '3 months';
      end loop;
    end $$;

    insert into message_delivery (account_id, message_id, app_id, sent_at, delivered_at, read_at, starred)
    select account_id, message_id, app_id, sent_at, sent_at, read_at, starred from message_delivery_unpartitioned;
    drop table message_delivery_unpartitioned;

    create index message_delivery_list on message_delivery (account_id, sent_at desc, message_id desc) where hidden is null;
    create index message_delivery_app_list on message_delivery (account_id, app_id, sent_at desc, message_id desc) where hidden is null;
    create index message_delivery_unread on message_delivery (account_id, sent_at desc, message_id desc) where read_at is null and hidden is null;
    create index message_delivery_starred on message_delivery (account_id, sent_at desc, message_id desc) where starred and hidden is null;
    create index message_delivery_message on message_delivery (message_id, account_id);

    -- Boxes are rewritten with each message: a row that stays on its page needs no new entry in any index.
    alter table message_box set (fillfactor = 70);

    -- Tells the nodes whose inbox has changed, so that open devices hear of it: keys of accounts, as many as a
    -- notification holds (8,000 bytes).
    create function message_box_announce(accounts bigint[]) returns void language sql as $$
      select pg_notify('atrium', json_build_object('kind', 'inbox', 'key', keys)::text) from (
        select string_agg(id::text, ',') as keys
        from unnest(accounts) with ordinality as listed (id, place) group by (place - 1) / 400
      ) as parts
    $$;

    create or replace function message_box_after_insert() returns trigger language plpgsql as $$
    begin
      insert into message_box as box (account_id, app_id, unread, last_message_id, last_sent_at)
      select account_id, app_id, count(*) filter (where read_at is null),
             (array_agg(message_id order by sent_at desc, message_id desc))[1], max(sent_at)
      from added where hidden is null group by account_id, app_id
      order by account_id, app_id -- one order for everybody: no deadlock between two broadcasts
      on conflict (account_id, app_id) do update set
        unread = box.unread + excluded.unread,
        last_message_id = case when box.last_sent_at is null or excluded.last_sent_at >= box.last_sent_at
                               then excluded.last_message_id else box.last_message_id end,
        last_sent_at = greatest(box.last_sent_at, excluded.last_sent_at);
      perform message_box_announce(array(select distinct account_id from added));
      return null;
    end $$;
    create trigger message_box_after_insert after insert on message_delivery
      referencing new table as added for each statement execute function message_box_after_insert();

    create or replace function message_box_after_update() returns trigger language plpgsql as $$
    begin
      -- In one order, so that two of them do not wait for each other; the next statement then sees what others have done.
      perform from message_box box
      where (account_id, app_id) in (select distinct account_id, app_id from new_rows)
      order by account_id, app_id for update;
      update message_box box set
        unread = box.unread + delta.n,
        last_message_id = case when delta.list_changed then last.message_id else box.last_message_id end,
        last_sent_at = case when delta.list_changed then last.sent_at else box.last_sent_at end
      from (
        select new_row.account_id, new_row.app_id,
               sum((new_row.read_at is null and new_row.hidden is null)::int
                 - (old_row.read_at is null and old_row.hidden is null)::int) as n,
               bool_or(new_row.hidden is distinct from old_row.hidden) as list_changed
        from new_rows new_row join old_rows old_row using (account_id, message_id)
        group by 1, 2
      ) delta
      left join lateral (
        select d.message_id, d.sent_at from message_delivery d
        where delta.list_changed and d.account_id = delta.account_id and d.app_id = delta.app_id and d.hidden is null
        order by d.sent_at desc, d.message_id desc limit 1
      ) last on true
      where box.account_id = delta.account_id and box.app_id = delta.app_id and (delta.n <> 0 or delta.list_changed);
      perform message_box_announce(array(select distinct account_id from new_rows));
      return null;
    end $$;
    create trigger message_box_after_update after update on message_delivery
      referencing new table as new_rows old table as old_rows for each statement execute function message_box_after_update();

    create or replace function message_box_after_delete() returns trigger language plpgsql as $$
    begin
      perform from message_box box
      where (account_id, app_id) in (select distinct account_id, app_id from removed)
      order by account_id, app_id for update;
      update message_box box set unread = box.unread - gone.unread, last_message_id = last.message_id, last_sent_at = last.sent_at
      from (
        select account_id, app_id, count(*) filter (where read_at is null and hidden is null) as unread
        from removed group by 1, 2
      ) gone
      left join lateral (
        select d.message_id, d.sent_at from message_delivery d
        where d.account_id = gone.account_id and d.app_id = gone.app_id and d.hidden is null
        order by d.sent_at desc, d.message_id desc limit 1
      ) last on true
      where box.account_id = gone.account_id and box.app_id = gone.app_id;
      perform message_box_announce(array(select distinct account_id from removed));
      return null;
    end $$;
    create trigger message_box_after_delete after delete on message_delivery
      referencing old table as removed for each statement execute function message_box_after_delete();
  `.execute(db)
}
