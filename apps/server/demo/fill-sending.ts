import { sql } from 'kysely'
// Importing all areas registers the extensions a delivery needs.
import '../src/domains.ts'
import { previewRecipients } from '../src/domains/work/sending/recipients.ts'
import { processDueMessage } from '../src/domains/work/sending/worker.ts'
import type { Db } from '../src/platform/database/db.ts'
import { addDays, at, dayOf } from './dates.ts'
import type { Ids } from './rows.ts'

/**
 * Messages sent by the administrator: one that most have confirmed, one scheduled; and one by a teacher that awaits
 * approval. The four named accounts receive none of them.
 */
export async function fillSending(db: Db, today: Date, accountIds: Ids) {
  const sent = {
    title: '实验室安全培训',
    title_en: 'Laboratory safety training',
    content: '本周五 14:00 在理科楼 A 座 301 举行实验室安全培训，请准时参加并带好校园卡。',
    content_en:
      'On Friday at 14:00 in room 301 of Science Building A. Please bring your campus card.',
    asks_confirmation: true,
    chosen: [{ ins_code: 'MA', below: true }],
    send_at: at(addDays(dayOf(today), -1), '09:30'),
  }
  const scheduled = {
    title: '寒假校园服务安排',
    title_en: 'Campus services during the winter break',
    content: '寒假期间图书馆、食堂和班车的开放时间见附件。',
    content_en: 'Opening hours of the library, the canteens and the shuttle during the break.',
    asks_confirmation: false,
    chosen: [{ ins_code: 'ME', below: true }],
    send_at: at(addDays(dayOf(today), 20), '10:00'),
  }
  for (const { chosen, ...row } of [sent, scheduled]) {
    const { recipients } = await previewRecipients(db, chosen, [], null)
    await db
      .insertInto('sending')
      .values({
        ...row,
        send_at: row.send_at.toISOString(),
        next_at: row.send_at.toISOString(),
        author_account_id: accountIds.get('admin') ?? null,
        author: '信息化中心 赵启航',
        key: row.title_en,
        channels: ['push'],
        chosen: JSON.stringify(chosen),
        expected: recipients,
      })
      .execute()
    while ((await processDueMessage(db)) > 0) {
      // repeat until everything is delivered
    }
  }
  const waiting = [{ ins_code: 'CS', below: true }]
  await db
    .insertInto('sending')
    .values({
      author_account_id: accountIds.get('teacher') ?? null,
      author: '计算机学院 周明远',
      key: 'Project week',
      status: 'pending',
      kind: 'event',
      title: '创新实践周报名',
      title_en: 'Sign up for the project week',
      content: '创新实践周将于下月第一周举行，请在本周五前报名。',
      content_en: 'The project week is in the first week of next month. Sign up by Friday.',
      choices: JSON.stringify([
        { text: '参加', textEn: 'Coming' },
        { text: '不参加', textEn: 'Not coming' },
      ]),
      channels: ['push'],
      asks_confirmation: false,
      chosen: JSON.stringify(waiting),
      within: ['CS'],
      expected: (await previewRecipients(db, waiting, [], ['CS'])).recipients,
    })
    .execute()
  await db
    .insertInto('sending_template')
    .values([
      {
        account_id: accountIds.get('admin') ?? '',
        name: '会议通知',
        kind: 'event',
        format: 'html',
        title: '{{姓名}}：{{会议}}参会通知',
        title_en: '{{name}}: invitation to {{会议}}',
        content:
          '<p>{{姓名}}（{{部门}}）：</p><p>请参加<strong>{{会议}}</strong>：</p><ul><li><p>时间：{{时间}}</p></li><li><p>地点：{{地点}}</p></li></ul>',
        content_en:
          '<p>Dear {{name}},</p><p>please come to <strong>{{会议}}</strong> at {{时间}} in {{地点}}.</p>',
      },
      {
        account_id: accountIds.get('admin') ?? '',
        name: '材料补交提醒',
        title: '请补交材料',
        content: '{{姓名}}（{{学工号}}）：你的材料还缺{{材料}}，请在{{截止日期}}前补交。',
      },
    ])
    .execute()
  // Most confirmed soon, some on the next day.
  await sql`update sending_recipient set delivered_at = sending.send_at from sending
    where sending.id = sending_recipient.sending_id and sending.asks_confirmation`.execute(db)
  await sql`
    update message_delivery set read_at = moment.at, confirmed_at = moment.at
    from (
      select sending.message_id, account_id,
        send_at + (now() - send_at) * power((account_id * 37 % 100) / 100.0, 2)::float8 as at
      from sending join sending_recipient on sending_id = sending.id where asks_confirmation
    ) as moment
    where message_delivery.message_id = moment.message_id and message_delivery.account_id = moment.account_id
      and moment.account_id % 3 <> 0`.execute(db)
}
