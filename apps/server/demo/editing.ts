import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import type { Db } from '../src/platform/database/db.ts'

const day = 86_400_000
const everybody: Rule[] = [{ effect: 'include', kind: 'everybody' }]

const mailboxes = [
  {
    department: 'O01',
    name: '校长信箱',
    nameEn: 'President’s mailbox',
    description: '对学校发展、教学与管理的意见和建议',
    descriptionEn: 'Opinions and suggestions on how the university is run',
    rules: everybody,
  },
  {
    department: 'O12',
    name: '后勤服务信箱',
    nameEn: 'Campus services',
    description: '食堂、宿舍、水电与校园环境',
    descriptionEn: 'Canteens, halls, water and power, the grounds',
    rules: everybody,
  },
  {
    department: 'O03',
    name: '教务信箱',
    nameEn: 'Registrar’s Office',
    description: '选课、考试、成绩与学籍',
    descriptionEn: 'Courses, examinations, marks and enrolment',
    rules: everybody,
  },
]

const letters = [
  {
    mailbox: 1,
    from: 'student',
    days: 6,
    title: '北区食堂能否延长晚餐时间',
    content: '晚上 7 点以后下课的同学常常赶不上晚餐，希望北区食堂能延长到 20:00。谢谢！',
    answer:
      '同学你好：感谢你的建议。自下周一起，北区食堂二楼的晚餐供应延长至 20:00，欢迎继续监督。\n后勤服务中心',
    mayPublish: true,
    published: true,
  },
  {
    mailbox: 2,
    from: 'student',
    days: 1,
    title: '重修课程与必修课冲突怎么办',
    content: '下学期重修的高等数学与专业必修课时间冲突，请问可以申请免听吗？',
    answer: '',
    mayPublish: false,
    published: false,
  },
  {
    mailbox: 0,
    from: 'teacher',
    days: 12,
    title: '建议在实验楼增设自助打印点',
    content: '实验楼附近没有打印点，交实验报告时不太方便。',
    answer: '老师你好：实验楼一层大厅将于本月底前增设两台自助打印机。\n校长办公室',
    mayPublish: true,
    published: true,
  },
]

/** Departments' content: an announcement that requires confirmation, a draft that awaits review, and mailboxes. */
export async function fillEditing(db: Db, today: Date, accountIds: Map<string, string>) {
  await sql`
    update article set kind = 'announcement', needs_confirmation = true
    where id = (
      select a.id from article a join news_column c on c.id = a.column_id where c.code = 'notices'
      order by a.pinned desc, a.published_at desc, a.id desc limit 1)`.execute(db)
  await sql`
    update news_column set organization_id = place.id from organization place
    where (news_column.code, place.code) in (('careers', 'O07'), ('academic', 'O08'))`.execute(db)
  await fillDraft(db, today, accountIds.get('staff') ?? null)
  const mailboxIds: string[] = []
  for (const [position, mailbox] of mailboxes.entries()) {
    const { id } = await db
      .insertInto('mailbox')
      .values({
        name: mailbox.name,
        name_en: mailbox.nameEn,
        description: mailbox.description,
        description_en: mailbox.descriptionEn,
        organization_id: sql<string>`(select id from organization where code = ${mailbox.department})`,
        audience_id: await audienceFor(db, mailbox.rules),
        position,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    mailboxIds.push(id)
  }
  for (const letter of letters) {
    const at = (days: number) => new Date(today.getTime() - days * day).toISOString()
    await db
      .insertInto('letter')
      .values({
        mailbox_id: mailboxIds[letter.mailbox] as string,
        account_id: accountIds.get(letter.from) as string,
        title: letter.title,
        content: letter.content,
        may_publish: letter.mayPublish,
        created_at: at(letter.days),
        answer: letter.answer,
        answerer_account_id: letter.answer ? (accountIds.get('admin') ?? null) : null,
        answered_at: letter.answer ? at(letter.days - 1) : null,
        published_at: letter.published ? at(letter.days - 1) : null,
      })
      .execute()
  }
}

async function fillDraft(db: Db, today: Date, writer: string | null) {
  const text = {
    kind: 'announcement',
    title: '关于寒假期间校园用电安全的通知',
    titleEn: '',
    summary: '',
    format: 'markdown',
    text: '各单位、全体同学：\n\n寒假将至，请在**离校前**完成以下检查：\n\n- 关闭实验室与办公室的电源；\n- 宿舍内不留充电设备；\n- 贵重物品自行保管。\n\n感谢配合！',
    textEn: '',
    author: '',
    needsConfirmation: true,
  }
  const { id, column_id } = await db
    .insertInto('article')
    .columns(['column_id', 'kind', 'title', 'status', 'published_at', 'author_account_id'])
    .expression((build) =>
      build
        .selectFrom('news_column')
        .select([
          'id',
          sql<string>`'announcement'`.as('kind'),
          sql<string>`${text.title}`.as('title'),
          sql<string>`'draft'`.as('status'),
          sql<string>`${today.toISOString()}::timestamptz`.as('published_at'),
          sql<string>`${writer}::bigint`.as('author_account_id'),
        ])
        .where('code', '=', 'notices'),
    )
    .returning(['id', 'column_id'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('article_work')
    .values({ article_id: id, version: 1, state: 'review' })
    .execute()
  await db
    .insertInto('article_version')
    .values({
      article_id: id,
      number: 1,
      content: JSON.stringify({ ...text, columnId: column_id }),
      writer_account_id: writer,
      written_at: today.toISOString(),
    })
    .execute()
}
