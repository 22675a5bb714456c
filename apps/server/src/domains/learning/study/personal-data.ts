import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const studyPersonalData: PersonalData = {
  study_result: {
    column: 'account_id',
    title: { zh: '作业与成绩', en: 'Coursework and marks' },
    // Unpublished marks belong to the teachers and are excluded.
    rows: (owner) => sql`
      select jsonb_build_object('course', course.name, 'assignment', assignment.title, 'handed_at', result.handed_at,
        'score', case when result.published_at is not null then result.score end,
        'grade', case when result.published_at is not null then result.grade end,
        'feedback', case when result.published_at is not null then result.feedback end) as row
      from study_result result join study_assignment assignment on assignment.id = result.assignment_id
      join course on course.id = assignment.course_id
      where result.account_id = ${accountsOf(owner)} order by assignment.id`,
    closing: 'delete',
  },
  study_attended: {
    column: 'account_id',
    title: { zh: '课堂签到', en: 'Attendance' },
    rows: (owner) => sql`
      select jsonb_build_object('course', course.name, 'at', attended.at, 'state', attended.state) as row
      from study_attended attended join study_attendance roll on roll.id = attended.attendance_id
      join course on course.id = roll.course_id
      where attended.account_id = ${accountsOf(owner)} order by roll.id`,
    closing: 'delete',
  },
  study_seen: {
    column: 'account_id',
    title: { zh: '打开过的课程资料', en: 'Course materials you have opened' },
    rows: (owner) => sql`
      select jsonb_build_object('material', material.title, 'seen_at', seen.seen_at) as row
      from study_seen seen join study_material material on material.id = seen.material_id
      where seen.account_id = ${accountsOf(owner)} order by seen.seen_at`,
    closing: 'delete',
  },
  study_announcement: {
    column: 'account_id',
    title: { zh: '你发布的课程公告', en: 'Course announcements of yours' },
    rows: (owner) => sql`
      select jsonb_build_object('title', title, 'text', text, 'created_at', created_at) as row
      from study_announcement where account_id = ${accountsOf(owner)} order by id`,
    closing: {
      anonymise: (owner) => sql`
        update study_announcement set account_id = null, author = '', author_en = '' where account_id = ${accountsOf(owner)}`,
    },
  },
  study_assignment: {
    column: 'account_id',
    title: { zh: '你布置的作业', en: 'Assignments you have given' },
    rows: (owner) => sql`
      select jsonb_build_object('title', title, 'created_at', created_at) as row
      from study_assignment where account_id = ${accountsOf(owner)} order by id`,
    closing: {
      anonymise: (owner) =>
        sql`update study_assignment set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
  study_attendance: {
    column: 'opened_by_account_id',
    title: { zh: '你发起的签到', en: 'Roll calls of yours' },
    rows: (owner) => sql`
      select jsonb_build_object('opened_at', opened_at) as row
      from study_attendance where opened_by_account_id = ${accountsOf(owner)} order by id`,
    closing: {
      anonymise: (owner) => sql`
        update study_attendance set opened_by_account_id = null where opened_by_account_id = ${accountsOf(owner)}`,
    },
  },
}
