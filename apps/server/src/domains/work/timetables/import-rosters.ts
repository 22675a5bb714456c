import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { type Counts, type ImportBySql, type RowSource, readRows } from '#platform/ingest/import.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { rosterFields } from './fields.ts'
import { timetableMessages } from './messages.ts'
import { notifyGroups } from './notify-changes.ts'
import { stageRows } from './stage-rows.ts'
import { loadTerms } from './terms.ts'

export type RosterSettings = {
  term?: string | undefined
  force?: boolean | undefined
  dryRun?: boolean | undefined
}

const maxLeavingShare = 0.2
const maxTitles = 3
const analyzeThreshold = 1000

/**
 * Imports who attends and who teaches. For each course and role in the file, its list replaces the stored one. A stored
 * teacher listed as attending stays a teacher unless the file lists the teachers of the course, too. People who join or
 * leave a course are notified if it had members and future lessons before.
 * @throws StartError
 */
export async function importRosters(
  run: ImportBySql,
  source: RowSource,
  { term, force, dryRun }: RosterSettings,
): Promise<Counts> {
  const { db, note } = run
  const terms = await loadTerms(db, term)
  await sql`
    create temp table staged_member (row integer primary key, term_id bigint not null, course_code text not null,
      username text not null, role text not null, calendar_id bigint, account_id bigint) on commit drop`.execute(
    db,
  )
  async function* rows(): AsyncGenerator<Record<string, unknown>> {
    for await (const { row, values } of readRows(run, source, rosterFields, [
      'course',
      'term',
      'username',
    ])) {
      try {
        const { id } = terms.find(values.term)
        yield {
          row,
          term_id: id,
          course_code: values.course,
          username: values.username,
          role: values.role ?? 'attends',
        }
      } catch (error) {
        if (!(error instanceof RowIssue)) throw error
        run.issue(row, error.message)
      }
    }
  }
  await stageRows(db, 'staged_member', rows())
  // One update for both columns, so that each row is rewritten only once.
  await sql`
    update staged_member staged set calendar_id = course.calendar_id, account_id = account.id
    from staged_member given
    left join course on course.term_id = given.term_id and course.code = given.course_code
    left join account on account.username = given.username
    where given.row = staged.row`.execute(db)
  const { rows: unknown } = await sql<{ row: number; what: string }>`
    select row, case when calendar_id is null then 'course ' || course_code || ' is not known; import the timetable first'
                     else 'there is no member ' || username end as what
    from staged_member where calendar_id is null or account_id is null order by row`.execute(db)
  for (const { row, what } of unknown) run.issue(row, what)
  // The planner has no statistics for a table that was just filled: without an index it would compare every row with
  // every other.
  await sql`create index on staged_member (calendar_id, account_id)`.execute(db)
  await sql`analyze staged_member`.execute(db)
  await sql`
    create temp table staged_place on commit drop as
    select distinct calendar_id, role from staged_member where calendar_id is not null`.execute(db)
  await sql`create unique index on staged_place (calendar_id, role)`.execute(db)
  await sql`analyze staged_place`.execute(db)
  // An index lookup per course, so that the cost does not depend on the number of dates.
  await sql`
    create temp table told_place on commit drop as
    select place.* from staged_place place
    cross join lateral (
      select from calendar_member m where (m.calendar_id, m.role) = (place.calendar_id, place.role) limit 1) somebody
    cross join lateral (
      select from event_occurrence o where o.calendar_id = place.calendar_id and not o.long and o.starts_at > now() limit 1) to_come`.execute(
    db,
  )
  const { rows: counted } = await sql<{ leaving: number; there: number }>`
    select count(*) filter (where not exists (select from staged_member staged
        where staged.calendar_id = m.calendar_id and staged.account_id = m.account_id))::integer as leaving,
      count(*)::integer as there
    from staged_place place join calendar_member m on (m.calendar_id, m.role) = (place.calendar_id, place.role)`.execute(
    db,
  )
  const { leaving = 0, there: current = 0 } = counted[0] ?? {}
  if (leaving > current * maxLeavingShare && !force) {
    const sentence = `This removes ${leaving} of ${current} places in courses.`
    if (!dryRun)
      throw new StartError(
        `${sentence} Nothing was written. If that is intended, run it again with --force.`,
      )
    note(`${sentence} This needs --force.`)
  }
  await sql`create temp table roster_change (calendar_id bigint, account_id bigint, role text, joins boolean) on commit drop`.execute(
    db,
  )
  await sql`
    with gone as (
      delete from calendar_member m using staged_place place
      where (m.calendar_id, m.role) = (place.calendar_id, place.role)
        and not exists (select from staged_member staged where staged.calendar_id = m.calendar_id and staged.account_id = m.account_id)
      returning m.calendar_id, m.account_id, m.role
    )
    insert into roster_change select calendar_id, account_id, role, false from gone`.execute(db)
  const { rows: counts } = await sql<Counts>`
    with written as (
      insert into calendar_member as stored (calendar_id, account_id, role)
      select calendar_id, account_id, role from staged_member where calendar_id is not null and account_id is not null
      order by account_id, calendar_id
      on conflict (account_id, calendar_id) do update set role = excluded.role
      where stored.role <> excluded.role and (excluded.role = 'teaches' or exists (
        select from staged_place place where (place.calendar_id, place.role) = (stored.calendar_id, 'teaches')))
      returning calendar_id, account_id, role, xmax = 0 as added
    ), joined as (
      insert into roster_change select calendar_id, account_id, role, true from written where added
    )
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed,
      (select count(*)::integer from staged_member where calendar_id is not null and account_id is not null) - count(*)::integer as unchanged
    from written`.execute(db)
  if (leaving > 0) note(`places removed, because they are no longer in the file: ${leaving}`)
  if ((counts[0]?.added ?? 0) > analyzeThreshold) await sql`analyze calendar_member`.execute(db)
  const notifiedCount = await notifyMembers(db)
  if (notifiedCount > 0) note(`people notified: ${notifiedCount}`)
  return counts[0] ?? { added: 0, changed: 0, unchanged: 0 }
}

/** Sends one message to each person who joins or leaves courses. */
async function notifyMembers(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string; title: string; titleEn: string }>`
    select calendar.id, calendar.name as title, calendar.name_en as "titleEn" from calendar
    where id in (select calendar_id from roster_change) and id in (select calendar_id from told_place)`.execute(
    db,
  )
  const courses = new Map(rows.map((row) => [row.id, row]))
  // A negative course id means leaving.
  return notifyGroups(
    db,
    sql`select account_id, case when joins then calendar_id else -calendar_id end as calendar_id from roster_change
        where (calendar_id, role) in (select calendar_id, role from told_place)`,
    async (accounts, signed) => {
      const coursesWhere = (joins: boolean) =>
        (signed ?? []).flatMap((id) =>
          !id.startsWith('-') === joins ? (courses.get(id.replace('-', '')) ?? []) : [],
        )
      await sendMessage(db, {
        kind: timetableMessages.kinds.roster,
        to: { accounts },
        title: { zh: '你的课程名单有变动', en: 'Your courses have changed' },
        summary: {
          zh: sentence(coursesWhere(true), coursesWhere(false), 'zh') || '请在日程中查看。',
          en:
            sentence(coursesWhere(true), coursesWhere(false), 'en') || 'Please see your schedule.',
        },
        url: '/pages/tab/schedule/schedule',
      })
    },
  )
}

type Course = { title: string; titleEn: string }

function sentence(joined: readonly Course[], left: readonly Course[], language: 'zh' | 'en') {
  const zh = language === 'zh'
  const names = (courses: readonly Course[]) =>
    courses
      .slice(0, maxTitles)
      .map(({ title, titleEn }) => (zh ? title : titleEn || title))
      .join(zh ? '、' : ', ') +
    (courses.length > maxTitles
      ? zh
        ? ` 等 ${courses.length} 门`
        : ` and ${courses.length - maxTitles} more`
      : '')
  return [
    joined.length > 0 && (zh ? `加入：${names(joined)}` : `Joined: ${names(joined)}`),
    left.length > 0 && (zh ? `退出：${names(left)}` : `Left: ${names(left)}`),
  ]
    .filter(Boolean)
    .join(zh ? '；' : '. ')
}
