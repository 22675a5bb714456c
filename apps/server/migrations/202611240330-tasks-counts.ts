import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- How many each member has: to do, done, unread copies, requests, drafts.
    create table task_count (
      account_id bigint not null references account on delete cascade,
      kind text not null check (kind in ('todo', 'done', 'unread', 'request', 'draft')),
      n integer not null,
      primary key (account_id, kind)
    );
    create function task_step_counts_as(kind text, done_at timestamptz) returns text language sql immutable as $$
      select case when kind = 'handle' then case when done_at is null then 'todo' else 'done' end
                  when done_at is null then 'unread' end
    $$;
    create function task_counts_as(draft boolean) returns text language sql immutable as $$
      select case when draft then 'draft' else 'request' end
    $$;

    create function task_step_after_insert() returns trigger language plpgsql as $$
    begin
      insert into task_count as c (account_id, kind, n)
      select account_id, task_step_counts_as(kind, done_at), count(*) from new_rows
      where account_id is not null and task_step_counts_as(kind, done_at) is not null
      group by 1, 2 order by 1, 2
      on conflict (account_id, kind) do update set n = c.n + excluded.n;
      return null;
    end $$;
    create function task_step_after_delete() returns trigger language plpgsql as $$
    begin
      update task_count c set n = c.n - gone.n
      from (
        select account_id, task_step_counts_as(kind, done_at) as kind, count(*) as n from old_rows
        where account_id is not null group by 1, 2
      ) gone
      where c.account_id = gone.account_id and c.kind = gone.kind;
      return null;
    end $$;
    -- An account that is deleted leaves its steps: what is taken away is never inserted.
    create function task_step_after_update() returns trigger language plpgsql as $$
    begin
      update task_count c set n = c.n + delta.n
      from (
        select account_id, kind, sum(n) as n from (
          select account_id, task_step_counts_as(kind, done_at) as kind, 1 as n from new_rows
          union all select account_id, task_step_counts_as(kind, done_at), -1 from old_rows
        ) one where account_id is not null and kind is not null group by 1, 2 having sum(n) < 0
      ) delta
      where c.account_id = delta.account_id and c.kind = delta.kind;
      insert into task_count as c (account_id, kind, n)
      select account_id, kind, sum(n) from (
        select account_id, task_step_counts_as(kind, done_at) as kind, 1 as n from new_rows
        union all select account_id, task_step_counts_as(kind, done_at), -1 from old_rows
      ) one where account_id is not null and kind is not null group by 1, 2 having sum(n) > 0 order by 1, 2
      on conflict (account_id, kind) do update set n = c.n + excluded.n;
      return null;
    end $$;
    create trigger task_step_after_insert after insert on task_step
      referencing new table as new_rows for each statement execute function task_step_after_insert();
    create trigger task_step_after_update after update on task_step
      referencing new table as new_rows old table as old_rows for each statement execute function task_step_after_update();
    create trigger task_step_after_delete after delete on task_step
      referencing old table as old_rows for each statement execute function task_step_after_delete();

    create function task_after_insert() returns trigger language plpgsql as $$
    begin
      insert into task_count as c (account_id, kind, n)
      select applicant_account_id, task_counts_as(draft), count(*) from new_rows
      where applicant_account_id is not null group by 1, 2 order by 1, 2
      on conflict (account_id, kind) do update set n = c.n + excluded.n;
      return null;
    end $$;
    create function task_after_delete() returns trigger language plpgsql as $$
    begin
      update task_count c set n = c.n - gone.n
      from (
        select applicant_account_id as account_id, task_counts_as(draft) as kind, count(*) as n from old_rows
        where applicant_account_id is not null group by 1, 2
      ) gone
      where c.account_id = gone.account_id and c.kind = gone.kind;
      return null;
    end $$;
    create function task_after_update() returns trigger language plpgsql as $$
    begin
      update task_count c set n = c.n + delta.n
      from (
        select account_id, kind, sum(n) as n from (
          select applicant_account_id as account_id, task_counts_as(draft) as kind, 1 as n from new_rows
          union all select applicant_account_id, task_counts_as(draft), -1 from old_rows
        ) one where account_id is not null group by 1, 2 having sum(n) < 0
      ) delta
      where c.account_id = delta.account_id and c.kind = delta.kind;
      insert into task_count as c (account_id, kind, n)
      select account_id, kind, sum(n) from (
        select applicant_account_id as account_id, task_counts_as(draft) as kind, 1 as n from new_rows
        union all select applicant_account_id, task_counts_as(draft), -1 from old_rows
      ) one where account_id is not null group by 1, 2 having sum(n) > 0 order by 1, 2
      on conflict (account_id, kind) do update set n = c.n + excluded.n;
      return null;
    end $$;
    create trigger task_after_insert after insert on task
      referencing new table as new_rows for each statement execute function task_after_insert();
    create trigger task_after_update after update on task
      referencing new table as new_rows old table as old_rows for each statement execute function task_after_update();
    create trigger task_after_delete after delete on task
      referencing old table as old_rows for each statement execute function task_after_delete();

    insert into task_count (account_id, kind, n)
    select account_id, task_step_counts_as(kind, done_at), count(*) from task_step
    where account_id is not null and task_step_counts_as(kind, done_at) is not null group by 1, 2
    union all
    select applicant_account_id, task_counts_as(draft), count(*) from task
    where applicant_account_id is not null group by 1, 2;

    -- A step that names no due date has its task's: lists are read in the order of one index.
    update task_step set due_at = task.due_at from task
    where task.id = task_step.task_id and task_step.due_at is null and task_step.done_at is null and task.due_at is not null;
    create index task_step_todo on task_step (account_id, coalesce(due_at, 'infinity'::timestamptz), id)
      where done_at is null and kind = 'handle';
    create index task_step_copies on task_step (account_id, created_at desc, id desc) where kind = 'circulate';
    create index task_step_sent on task_step (sent_by_account_id, created_at desc, id desc) where kind = 'circulate';
    create index task_step_snoozed on task_step (account_id, snoozed_until)
      where done_at is null and kind = 'handle' and snoozed_until is not null;
  `.execute(db)
}
