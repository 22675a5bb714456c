import { type RawBuilder, sql } from 'kysely'
import { closeSubmittedTasks, syncDueDates, syncWork } from '#domains/learning/study/work.ts'
import { stageRows } from '#domains/work/timetables/stage-rows.ts'
import type { Db } from '#platform/database/db.ts'
import type { Counts } from '#platform/ingest/import.ts'

/** Course ids by term code and course code. */
export async function idsOfCourses(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; id: string }>`
    select coalesce(term.code, term.starts_on::text) || ' ' || course.code as key, course.id
    from course join academic_term term on term.id = course.term_id`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

export async function writeCredits(
  db: Db,
  list: readonly { course_id: string; credits: number }[],
): Promise<Counts> {
  const { rows } = await sql<{ added: number; changed: number }>`
    with written as (
      insert into study_course as known (course_id, credits)
      select distinct on (course_id) course_id, credits
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as given(course_id bigint, credits numeric)
      on conflict (course_id) do update set credits = excluded.credits where known.credits is distinct from excluded.credits
      returning xmax = 0 as added
    )
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed from written`.execute(
    db,
  )
  const { added = 0, changed = 0 } = rows[0] ?? {}
  return { added, changed, unchanged: 0 }
}

type Item = {
  row: number
  key: string
  course_id: string
  kind: string
  title: string
  text: string
  due_at: string | null
  points: number | null
  /** where it is handed in; empty: unknown */
  url: string
}
type Result = {
  row: number
  /** key of its item */
  key: string
  username: string
  score: number | null
  grade: string
  feedback: string
  handed: boolean
  published: boolean
  at: string | null
}
/** A mark that the source withdrew. */
type Withdrawn = Pick<Result, 'row' | 'key' | 'username'> & { withdrawn: true }
type Gradebook = {
  /** courses in the source; assignments are deleted only there */
  courses: readonly string[]
  items: AsyncIterable<Item>
  /** of several for one student and assignment, the last; withdrawn ones count only if there is no other */
  results: AsyncIterable<Result | Withdrawn>
  /** whether every line was valid; only then are missing assignments and marks deleted */
  complete: () => boolean
  /** members of which courses have all of their results given; marks are missing only there */
  covered: 'all' | readonly { course_id: string; username: string }[]
  issue: (row: number, sentence: string) => void
  timeZone: string
}

/**
 * Synchronises assignments and marks with another system's complete current state. Assignments and marks it no longer
 * has are deleted, in the given courses. Repeating it changes nothing. Call in a transaction.
 */
export async function writeGradebook(
  db: Db,
  source: string,
  { courses, items, results, complete, covered, issue, timeZone }: Gradebook,
): Promise<Counts> {
  await sql`
    create temp table staged_item (row integer, key text, course_id bigint, kind text, title text, text text, due_at timestamptz,
      points numeric, url text) on commit drop`.execute(db)
  await sql`
    create temp table staged_result (row integer, key text, username text, score numeric, grade text, feedback text,
      handed boolean, published boolean, at timestamptz, withdrawn boolean, assignment_id bigint, account_id bigint) on commit drop`.execute(
    db,
  )
  await stageRows(db, 'staged_item', items)
  await stageRows(db, 'staged_result', results)
  const written = await writeItems(db, source)
  const marks = await writeResults(db, source, issue)
  const removed = complete() ? await removeGone(db, source, courses) : 0
  const cleared = await clearMarks(db, source, complete() ? { courses, covered } : undefined)
  const changed = [...new Set([...written.ids, ...marks.ids, ...cleared])]
  if (changed.length > 0) {
    await closeSubmittedTasks(db, changed)
    await syncWork(db, { assignments: changed })
    await syncDueDates(db, changed, timeZone)
  }
  return {
    added: written.added + marks.added,
    changed: written.changed + marks.changed + removed + cleared.length,
    unchanged: written.unchanged + marks.unchanged,
  }
}

type Written = { id: string; added: boolean }
const countsOf = (rows: readonly Written[], all: number) => ({
  ids: [...new Set(rows.map(({ id }) => id))],
  added: rows.filter(({ added }) => added).length,
  changed: rows.filter(({ added }) => !added).length,
  unchanged: all - rows.length,
})

async function writeItems(db: Db, source: string) {
  // A course has only one total; other totals become ordinary columns.
  await sql`
    update staged_item set kind = 'mark' where kind = 'total' and (
      exists (select from staged_item other where other.course_id = staged_item.course_id and other.kind = 'total'
        and other.key < staged_item.key)
      or exists (select from study_assignment there where there.course_id = staged_item.course_id and there.kind = 'total'
        and there.source_key is distinct from staged_item.key))`.execute(db)
  const { rows } = await sql<Written>`
    insert into study_assignment as known (course_id, kind, title, text, due_at, points, url, source, source_key)
    select course_id, kind, left(title, 255), text, due_at, points, url, ${source}, key from staged_item
    on conflict (source, source_key) where source_key is not null do update set course_id = excluded.course_id,
      kind = excluded.kind, title = excluded.title, text = excluded.text, due_at = excluded.due_at, points = excluded.points,
      url = excluded.url
    where (known.course_id, known.kind, known.title, known.text, known.due_at, known.points, known.url)
      is distinct from (excluded.course_id, excluded.kind, excluded.title, excluded.text, excluded.due_at, excluded.points,
        excluded.url)
    returning id, xmax = 0 as added`.execute(db)
  return countsOf(rows, await countOf(db, 'staged_item'))
}

async function writeResults(db: Db, source: string, issue: Gradebook['issue']) {
  await sql`
    update staged_result staged set assignment_id = assignment.id from study_assignment assignment
    where assignment.source = ${source} and assignment.source_key = staged.key`.execute(db)
  await sql`
    update staged_result staged set account_id = account.id from account where account.username = staged.username`.execute(
    db,
  )
  const { rows: unknown } = await sql<{ row: number; username: string; withdrawn: boolean | null }>`
    delete from staged_result where account_id is null returning row, username, withdrawn`.execute(
    db,
  )
  for (const { row, username, withdrawn } of unknown.sort((a, b) => a.row - b.row))
    if (!withdrawn) issue(row, `there is no member ${username}`)
  await sql`delete from staged_result where assignment_id is null`.execute(db)
  const { rows } = await sql<Written>`
    insert into study_result as known (assignment_id, account_id, handed_at, score, grade, feedback, marked_at, published_at)
    select distinct on (assignment_id, account_id) assignment_id, account_id, case when handed then coalesce(at, now()) end, score,
      grade, feedback, case when score is not null or grade <> '' then coalesce(at, now()) end,
      case when published then coalesce(at, now()) end
    from staged_result where withdrawn is not true order by assignment_id, account_id, row desc
    on conflict (assignment_id, account_id) do update set
      handed_at = coalesce(known.handed_at, excluded.handed_at), score = excluded.score, grade = excluded.grade,
      feedback = excluded.feedback, marked_at = coalesce(known.marked_at, excluded.marked_at),
      published_at = case when excluded.published_at is null then null else coalesce(known.published_at, excluded.published_at) end
    where (known.score, known.grade, known.feedback, known.published_at is null, known.handed_at is null and excluded.handed_at is not null)
      is distinct from (excluded.score, excluded.grade, excluded.feedback, excluded.published_at is null, false)
    returning assignment_id as id, xmax = 0 as added`.execute(db)
  return countsOf(rows, await countOf(db, 'staged_result', sql`where withdrawn is not true`))
}

/**
 * Clears the marks that the source withdrew and, within `scope`, those it no longer has. The row stays: the work may have
 * been handed in, and a task may belong to it.
 * @returns the assignment of each mark
 */
async function clearMarks(
  db: Db,
  source: string,
  scope: Pick<Gradebook, 'courses' | 'covered'> | undefined,
): Promise<string[]> {
  const pairs = scope && scope.covered !== 'all' ? scope.covered : []
  const { rows } = await sql<{ id: string }>`
    with covered as materialized (
      select given.course_id, account.id as account_id
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as given(course_id bigint, username text)
      join account on account.username = given.username
    )
    update study_result result set score = null, grade = '', feedback = '', marked_at = null, published_at = null
    from study_assignment assignment
    where assignment.id = result.assignment_id and assignment.source = ${source}
      and (result.score is not null or result.grade <> '' or result.feedback <> '' or result.marked_at is not null
        or result.published_at is not null)
      and not exists (select from staged_result staged where staged.assignment_id = assignment.id
        and staged.account_id = result.account_id and staged.withdrawn is not true)
      and (exists (select from staged_result staged where staged.assignment_id = assignment.id
          and staged.account_id = result.account_id)
        or (assignment.course_id = any(${(scope?.courses ?? []) as string[]}::bigint[])
          and (${scope?.covered === 'all'}::boolean or exists (select from covered
            where covered.course_id = assignment.course_id and covered.account_id = result.account_id))))
    returning assignment.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** @returns the number of assignments deleted */
async function removeGone(db: Db, source: string, courses: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with gone as materialized (
      select id, event_id from study_assignment known where known.source = ${source}
        and known.course_id = any(${courses as string[]}::bigint[])
        and not exists (select from staged_item staged where staged.key = known.source_key)
    ), tasks as (
      delete from task using study_result result join gone on gone.id = result.assignment_id where task.id = result.task_id
    ), events as (
      delete from event using gone where event.id = gone.event_id
    )
    delete from study_assignment using gone where study_assignment.id = gone.id returning study_assignment.id`.execute(
    db,
  )
  return rows.length
}

async function countOf(
  db: Db,
  table: 'staged_item' | 'staged_result',
  where: RawBuilder<unknown> = sql``,
) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} ${where}`.execute(db)
  return rows[0]?.count ?? 0
}
