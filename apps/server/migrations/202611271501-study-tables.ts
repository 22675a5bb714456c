import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await sql`
    -- What is known of a course beside its lessons: table course, whose people are in calendar_member.
    create table study_course (
      course_id bigint primary key references course on delete cascade,
      credits numeric(4, 1),
      about text not null default '',
      about_en text not null default ''
    );

    -- The plan: one row a week or a topic.
    create table study_unit (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      position integer not null default 0,
      week integer,
      title text not null,
      title_en text not null default '',
      text text not null default '',
      -- the system it comes from, and its own id of it; null: made here
      source text,
      source_key text
    );
    create index study_unit_course on study_unit (course_id, position, id);
    create unique index study_unit_source on study_unit (source, source_key) where source_key is not null;

    create table study_material (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      unit_id bigint references study_unit on delete set null,
      position integer not null default 0,
      kind text not null check (kind in ('file', 'link', 'tool')),
      title text not null,
      title_en text not null default '',
      file_id bigint references file,
      url text not null default '',
      source text,
      source_key text,
      created_at timestamptz not null default now(),
      check ((kind = 'file') = (file_id is not null))
    );
    create index study_material_course on study_material (course_id, position, id);
    create index study_material_file on study_material (file_id) where file_id is not null;
    create unique index study_material_source on study_material (source, source_key) where source_key is not null;

    -- Materials somebody has opened: a part of their progress.
    create table study_seen (
      account_id bigint not null references account on delete cascade,
      material_id bigint not null references study_material on delete cascade,
      seen_at timestamptz not null default now(),
      primary key (account_id, material_id)
    );
    create index study_seen_material on study_seen (material_id);

    -- work: it is handed in. mark: something that is only marked, such as an examination. total: the mark of the course.
    create table study_assignment (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      kind text not null default 'work' check (kind in ('work', 'mark', 'total')),
      title text not null,
      title_en text not null default '',
      text text not null default '',
      due_at timestamptz,
      -- the most one can get; null: it is not marked with numbers
      points numeric(8, 2) check (points > 0),
      -- where it is handed in; empty: here
      url text not null default '',
      account_id bigint references account on delete set null,
      -- when it is due, in the calendar of the course
      event_id bigint references event on delete set null,
      source text,
      source_key text,
      created_at timestamptz not null default now()
    );
    create index study_assignment_course on study_assignment (course_id, due_at, id);
    create index study_assignment_event on study_assignment (event_id) where event_id is not null;
    create index study_assignment_due on study_assignment (due_at) where kind = 'work';
    create index study_assignment_account on study_assignment (account_id) where account_id is not null;
    create unique index study_assignment_source on study_assignment (source, source_key) where source_key is not null;
    create unique index study_assignment_total on study_assignment (course_id) where kind = 'total';

    -- What one student has of an assignment: whether it is handed in, and what they got for it.
    create table study_result (
      assignment_id bigint not null references study_assignment on delete cascade,
      account_id bigint not null references account on delete cascade,
      task_id bigint unique references task on delete set null,
      handed_at timestamptz,
      score numeric(8, 2),
      -- a mark in words or letters
      grade text not null default '',
      feedback text not null default '',
      -- null: only teachers see the mark
      published_at timestamptz,
      marked_at timestamptz,
      primary key (assignment_id, account_id)
    );
    create index study_result_account on study_result (account_id, published_at desc);

    create table study_announcement (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      account_id bigint references account on delete set null,
      author text not null,
      author_en text not null default '',
      title text not null,
      text text not null,
      created_at timestamptz not null default now()
    );
    create index study_announcement_course on study_announcement (course_id, created_at desc, id desc);
    create index study_announcement_account on study_announcement (account_id, created_at) where account_id is not null;

    -- Once that the roll is called. The code that students enter is reckoned from the id and the time.
    create table study_attendance (
      id bigint generated always as identity primary key,
      course_id bigint not null references course on delete cascade,
      opened_by_account_id bigint references account on delete set null,
      -- the lesson it is called in, where there is one
      lesson_at timestamptz,
      opened_at timestamptz not null default now(),
      -- whoever comes later is late
      late_at timestamptz not null,
      closes_at timestamptz not null,
      ended_at timestamptz
    );
    create index study_attendance_course on study_attendance (course_id, opened_at desc);
    create index study_attendance_opened_by on study_attendance (opened_by_account_id) where opened_by_account_id is not null;
    create unique index study_attendance_open on study_attendance (course_id) where ended_at is null;
    create index study_attendance_closes on study_attendance (closes_at) where ended_at is null;

    create table study_attended (
      attendance_id bigint not null references study_attendance on delete cascade,
      account_id bigint not null references account on delete cascade,
      -- null: tried only
      state text check (state in ('present', 'late', 'absent', 'excused')),
      by_teacher boolean not null default false,
      wrong_codes integer not null default 0,
      -- the browser or phone the code was entered on: one stands for one member
      device text,
      at timestamptz not null default now(),
      primary key (attendance_id, account_id)
    );
    create index study_attended_account on study_attended (account_id);
    create unique index study_attended_device on study_attended (attendance_id, device) where device is not null;
  `.execute(db)
}
