import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- When the periods of a day begin and end. A campus or a season that is empty stands for all that have none of their own.
    create table class_period (
      id bigint generated always as identity primary key,
      campus text not null default '',
      number integer not null,
      -- MM-DD, both inclusive; from a later to an earlier day: over the turn of the year
      season_from text not null default '',
      season_to text not null default '',
      starts_at time not null,
      ends_at time not null check (ends_at > starts_at),
      unique (campus, number, season_from)
    );

    -- A course as one group of people attends it in a term; its lessons are events of its calendar.
    create table course (
      id bigint generated always as identity primary key,
      term_id bigint not null references academic_term on delete cascade,
      code text not null,
      name text not null,
      name_en text not null default '',
      calendar_id bigint not null unique references calendar on delete cascade,
      unique (term_id, code)
    );

    -- A row of the timetable. What becomes of it (days off, swapped days, changes) is reckoned from it anew each time.
    create table lesson (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      -- the file's own; empty: it has none
      key text not null,
      kind text not null check (kind in ('weekly', 'extra', 'exam')),
      -- 1 is Monday
      weekday integer check (weekday between 1 and 7),
      weeks integer[] not null default '{}',
      -- of what is no weekly lesson
      day date,
      first_period integer,
      last_period integer,
      starts_at time,
      ends_at time,
      campus text not null default '',
      location text not null default '',
      person text not null default '',
      note text not null default '',
      check (case when kind = 'weekly' then weekday is not null and day is null else day is not null end),
      check (first_period is not null or starts_at is not null)
    );
    create index lesson_course on lesson (course_id);
    create unique index lesson_key on lesson (course_id, key) where key <> '';

    -- What is different with one lesson.
    create table lesson_change (
      id bigint generated always as identity primary key,
      lesson_id bigint not null references lesson on delete cascade,
      -- the day of the timetable, without days off and swaps
      day date not null,
      cancelled boolean not null default false,
      -- null: as in the timetable
      new_day date,
      first_period integer,
      last_period integer,
      starts_at time,
      ends_at time,
      location text,
      note text not null default '',
      -- days it had been moved to when it was changed again
      from_days date[] not null default '{}',
      unique (lesson_id, day)
    );

    -- The events that were made of a lesson: one for each time of day it takes place at.
    create table lesson_event (
      event_id bigint primary key references event on delete cascade,
      lesson_id bigint not null references lesson on delete cascade
    );
    create index lesson_event_lesson on lesson_event (lesson_id);
  `.execute(db)
}
