import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What somebody set themselves or others to do.
    create table todo (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      -- the owner's own id of it: the same again makes none
      key text not null,
      title text not null,
      note text not null default '',
      due_at timestamptz,
      all_day boolean not null default false,
      time_zone text not null,
      repeat text not null default 'none' check (repeat in ('none', 'daily', 'weekdays', 'weekly', 'monthly', 'yearly')),
      -- the day of a month or year it began with: what falls on the 31st comes back to it after February
      repeat_day integer,
      tags text[] not null default '{}',
      -- [{ text, done }]
      steps jsonb not null default '[]',
      -- where it came from: { title, url }
      source jsonb,
      finished_at timestamptz,
      -- the same one's next time, made when this was finished
      next_id bigint references todo on delete set null,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      unique (account_id, key)
    );
    create index todo_next on todo (next_id);

    -- Those in whose list it stands: the owner, and whoever is to do it.
    create table todo_member (
      todo_id bigint not null references todo on delete cascade,
      account_id bigint not null references account on delete cascade,
      owner boolean not null,
      may_finish boolean not null,
      -- the order by hand, in each one's own list
      position double precision not null,
      -- one's own part
      done_at timestamptz,
      -- the end of it, for everybody; a copy, so that a list is read from one index
      finished_at timestamptz,
      primary key (todo_id, account_id)
    );
    create index todo_member_open on todo_member (account_id, position, todo_id) where finished_at is null;
    create index todo_member_finished on todo_member (account_id, finished_at desc, todo_id desc) where finished_at is not null;

    create table todo_reminder (
      todo_id bigint not null references todo on delete cascade,
      -- before it is due
      minutes integer not null check (minutes between 0 and 40320),
      remind_at timestamptz not null,
      sent_at timestamptz,
      primary key (todo_id, minutes)
    );
    create index todo_reminder_due on todo_reminder (remind_at) where sent_at is null;
  `.execute(db)
}
