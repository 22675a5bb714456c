import { sql } from 'kysely'
import { setHeads } from '../src/domains/identity/members/heads.ts'
import { engineCode } from '../src/domains/work/applications/engine.ts'
import { putForm } from '../src/domains/work/applications/forms.ts'
import type { Db } from '../src/platform/database/db.ts'
import { forms, heads } from './applications.ts'
import { addDays, at, dayOf } from './dates.ts'
import type { Ids } from './rows.ts'

/** Application forms, their approvers, and a draft of the student's. */
export async function fillApplications(db: Db, accountIds: Ids) {
  for (const [organization, usernames] of Object.entries(heads))
    await setHeads(db, organization, usernames)
  for (const [code, form] of Object.entries(forms)) await putForm(db, code, form)
  const draft = { room: 'meeting', people: 12, purpose: '读书会：《人月神话》' }
  const { id } = await db
    .insertInto('task')
    .values({
      title: '场地借用：行政楼会议室',
      title_en: 'Room booking: Meeting room',
      source: '后勤处',
      source_en: 'Campus Services Office',
      applicant_account_id: accountIds.get('student') ?? null,
      applicant_name: '林知夏',
      draft: true,
      engine: engineCode,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into application (task_id, form_id, version, account_id, key, data, status)
    select ${id}, id, version, ${accountIds.get('student')}, 'room-draft', ${JSON.stringify(draft)}, 'draft'
    from application_form where code = 'room'`.execute(db)
}

/** Past absences; nobody is away now. */
export async function fillDelegations(db: Db, today: Date, accountIds: Ids) {
  const day = (ago: number) => addDays(dayOf(today), -ago)
  for (const [from, to, first, last, note] of [
    ['student', 'teacher', 24, 18, '外出参赛，社团物资领用请您代签。'],
    ['staff', 'admin', 15, 11, '参加培训，急件请代为处理。'],
  ] as const) {
    const { id } = await db
      .insertInto('task_delegation')
      .values({
        account_id: accountIds.get(from) ?? '',
        starts_on: day(first),
        ends_on: day(last),
        starts_at: at(day(first), '00:00').toISOString(),
        ends_at: at(day(last - 1), '00:00').toISOString(),
        note,
        state: 'over',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('task_delegate')
      .values({ delegation_id: id, account_id: accountIds.get(to) ?? '' })
      .execute()
  }
}
