import { sql } from 'kysely'
import { syncDueDates, syncWork } from '../src/domains/learning/study/work.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { plainPdf } from './catalogue.ts'
import { addDays, at, type Day, dayOf } from './dates.ts'
import type { Ids } from './rows.ts'
import { termsAt, zone } from './schedule.ts'
import { credits, type DemoStudy, passed, studies } from './study.ts'

/** Plans, materials, assignments, marks and announcements of some courses, and credits of many. */
export async function fillStudy(db: Db, today: Date, files: Files, accountIds: Ids) {
  const day = dayOf(today)
  const current = termsAt(day)[1]?.code ?? ''
  for (const [name, value] of Object.entries(credits))
    await sql`
      insert into study_course (course_id, credits) select course.id, ${value} from course
      join academic_term term on term.id = course.term_id where term.code = ${current} and course.name = ${name}`.execute(
      db,
    )
  const student = accountIds.get('student') ?? '0'
  const work: string[] = []
  for (const [name, study] of Object.entries(studies)) {
    // The course of the demo's student or teacher.
    const { rows } = await sql<{ id: string; teacher: string; author: string; author_en: string }>`
      select course.id, teacher.account_id as teacher, person.name as author, person.name_en as author_en
      from course join academic_term term on term.id = course.term_id
      join calendar_member member on member.calendar_id = course.calendar_id
        and member.account_id = any(${[student, accountIds.get('teacher') ?? '0']}::bigint[])
      join calendar_member teacher on teacher.calendar_id = course.calendar_id and teacher.role = 'teaches'
      join account on account.id = teacher.account_id join person on person.id = account.person_id
      where term.code = ${current} and course.name = ${name}
      order by member.account_id = ${student} desc, course.id limit 1`.execute(db)
    const [course] = rows
    if (course) work.push(...(await fillCourse(db, files, day, course, study, student)))
  }
  await syncWork(db, { assignments: work })
  await syncDueDates(db, work, zone)
  await fillPassed(db, day, student)
}

type Taught = { id: string; teacher: string; author: string; author_en: string }

async function fillCourse(
  db: Db,
  files: Files,
  day: Day,
  course: Taught,
  { about, units = [], materials = [], work = [], announcements = [], rolls = [] }: DemoStudy,
  student: string,
): Promise<string[]> {
  if (about)
    await db
      .updateTable('study_course')
      .set({ about: about[0], about_en: about[1] })
      .where('course_id', '=', course.id)
      .execute()
  const unitIds: string[] = []
  for (const [at, [title, title_en, text]] of units.entries()) {
    const { id } = await db
      .insertInto('study_unit')
      .values({ course_id: course.id, position: at, week: at + 1, title, title_en, text })
      .returning('id')
      .executeTakeFirstOrThrow()
    unitIds.push(id)
  }
  for (const [position, { title, pdf, url, unit, seen }] of materials.entries()) {
    const about = { mediaType: 'application/pdf', isPublic: false }
    const file = pdf && (await files.keep(db, plainPdf(pdf), about))
    if (file)
      await db
        .updateTable('file')
        .set({ name: `${title[0]}.pdf` })
        .where('id', '=', file)
        .execute()
    const { id } = await db
      .insertInto('study_material')
      .values({
        course_id: course.id,
        unit_id: unit === undefined ? null : (unitIds[unit] ?? null),
        position,
        kind: file ? 'file' : 'link',
        title: title[0],
        title_en: title[1],
        file_id: file ?? null,
        url: url ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (seen)
      await sql`
        insert into study_seen (account_id, material_id) select member.account_id, ${id} from calendar_member member
        join course on course.calendar_id = member.calendar_id
        where course.id = ${course.id} and member.account_id = ${student} and member.role = 'attends'`.execute(
        db,
      )
  }
  const assignments: string[] = []
  for (const one of work) {
    const due = at(addDays(day, one.due[0]), one.due[1])
    const { id } = await db
      .insertInto('study_assignment')
      .values({
        course_id: course.id,
        title: one.title[0],
        title_en: one.title[1],
        text: one.text,
        due_at: due.toISOString(),
        points: String(one.points),
        account_id: course.teacher,
        created_at: at(addDays(day, one.due[0] - 14), '09:00').toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    assignments.push(id)
    const handedBy = Math.min(due.getTime(), at(day, '08:00').getTime()) - 20 * 3_600_000
    await sql`
      insert into study_result (assignment_id, account_id, handed_at, score, feedback, published_at, marked_at)
      select ${id}, member.account_id, ${new Date(handedBy).toISOString()}::timestamptz - (member.account_id % 30) * interval '1 hour',
        case when ${one.marked ?? false} then case when member.account_id = ${student} then ${one.score ?? null}::numeric
          else round(${one.points} * (70 + member.account_id % 29) / 100.0) end end,
        case when member.account_id = ${student} then ${one.feedback ?? ''} else '' end,
        case when ${one.marked ?? false} then ${at(addDays(day, one.due[0] + 7), '17:00').toISOString()}::timestamptz end,
        case when ${one.marked ?? false} then ${at(addDays(day, one.due[0] + 6), '17:00').toISOString()}::timestamptz end
      from course join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'
      where course.id = ${course.id}
        and case when member.account_id = ${student} then ${one.marked ?? false} else member.account_id % 10 < ${one.handed} end`.execute(
      db,
    )
  }
  for (const { title, text, daysAgo } of announcements)
    await db
      .insertInto('study_announcement')
      .values({
        course_id: course.id,
        account_id: course.teacher,
        author: course.author,
        author_en: course.author_en,
        title,
        text,
        created_at: at(addDays(day, -daysAgo), '16:20').toISOString(),
      })
      .execute()
  for (const daysAgo of rolls) {
    const opened = at(addDays(day, -daysAgo), '08:05').toISOString()
    await sql`
      with roll as (
        insert into study_attendance (course_id, opened_by_account_id, opened_at, late_at, closes_at, ended_at)
        select ${course.id}, ${course.teacher}, moment, moment + interval '10 minutes', moment + interval '15 minutes',
          moment + interval '15 minutes' from (select ${opened}::timestamptz as moment) one
        returning id, course_id, opened_at
      )
      insert into study_attended (attendance_id, account_id, state, at)
      select roll.id, member.account_id, case when (member.account_id + ${daysAgo}) % 17 = 3 then 'absent'
        when (member.account_id + ${daysAgo}) % 13 = 5 then 'late' else 'present' end,
        roll.opened_at + (member.account_id % 9) * interval '1 minute'
      from roll join course on course.id = roll.course_id
      join calendar_member member on member.calendar_id = course.calendar_id and member.role = 'attends'`.execute(
      db,
    )
  }
  return assignments
}

/** Courses of the previous term, with final marks. */
async function fillPassed(db: Db, day: Day, student: string) {
  const before = termsAt(day)[0]
  for (const { code, name, credits, score } of passed)
    await sql`
      with term as (
        select id, starts_on + weeks * 7 as over from academic_term where code = ${before?.code ?? ''}
      ), made as (
        insert into calendar (kind, source, source_key, name, name_en, color)
        select 'course', 'timetable', term.id || ' ' || ${code}, ${name[0]}, ${name[1]}, 'teal' from term returning id
      ), course as (
        insert into course (term_id, code, name, name_en, calendar_id)
        select term.id, ${code}, ${name[0]}, ${name[1]}, made.id from term, made returning id
      ), member as (
        insert into calendar_member (calendar_id, account_id, role) select made.id, ${student}, 'attends' from made
      ), known as (
        insert into study_course (course_id, credits) select course.id, ${credits} from course
      ), total as (
        insert into study_assignment (course_id, kind, title, title_en, points)
        select course.id, 'total', '总评', 'Final mark', 100 from course returning id
      )
      insert into study_result (assignment_id, account_id, score, published_at, marked_at)
      select total.id, ${student}, ${score}, term.over, term.over from total, term`.execute(db)
}
