import { sql } from 'kysely'
import { writePopular } from '../src/domains/content/news/reads.ts'
import { writeArticleWords } from '../src/domains/content/news/search.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { generatedMembers } from './members.ts'
import { random } from './random.ts'

type Ids = Map<string, string>

/** Readers' likes and comments, the most read articles, and attachments. */
export async function fillNewsReading(db: Db, today: Date, files: Files, accountIds: Ids) {
  await sql`
    update article set organization_id = organization.id from organization
    where organization.name = article.department`.execute(db)
  // Reads per day: every ten minutes the job recomputes the most read articles from these rows.
  await sql`
    insert into article_read_day (day, article_id, reads)
    select (${today.toISOString()}::timestamptz at time zone 'UTC')::date - day, id, greatest(1, read_count / 56)
    from (select id, read_count from article where published_at > ${today.toISOString()}::timestamptz - interval '30 days'
          order by read_count desc limit 40) read
    cross join generate_series(0, 6) day`.execute(db)
  await writePopular(db)

  const { rows: articles } = await sql<{ id: string; published_at: string }>`
    select id, published_at from article where column_id in (select id from news_column where code in ('campus', 'headlines'))
    order by published_at desc limit 8`.execute(db)
  const people = generatedMembers.slice(20, 220).map(({ username }) => username.toLowerCase())
  const chance = random('comments')
  const likes: { article: string; account: string }[] = []
  const said: { article: string; account: string; content: string; at: string }[] = []
  for (const [place, { id, published_at }] of articles.entries()) {
    const readers = people.filter(() => chance.next() < 0.12 + 0.3 / (place + 1))
    for (const username of readers) {
      const account = accountIds.get(username)
      if (account) likes.push({ article: id, account })
    }
    for (const [index, content] of (remarks[place] ?? []).entries()) {
      const account = accountIds.get(people[place * 7 + index * 3] ?? '')
      const at = new Date(
        Math.min(Date.parse(published_at) + (index + 1) * 5_400_000, today.getTime() - 60_000),
      )
      if (account) said.push({ article: id, account, content, at: at.toISOString() })
    }
  }
  await sql`
    insert into article_like (article_id, account_id)
    select article, account from json_to_recordset(${JSON.stringify(likes)}::json) as given (article bigint, account bigint)`.execute(
    db,
  )
  await sql`
    insert into article_comment (article_id, account_id, content, status, created_at, decided_at)
    select article, account, content, 'shown', at, at
    from json_to_recordset(${JSON.stringify(said)}::json) as given (article bigint, account bigint, content text, at timestamptz)`.execute(
    db,
  )
  const [first] = articles
  const student = accountIds.get('student')
  if (first && student) {
    await sql`
      insert into article_comment (article_id, account_id, content, status)
      values (${first.id}, ${student}, '请问线上可以同步观看吗？', 'waiting')`.execute(db)
  }
  await fillAttachments(db, files)
  const all = await db.selectFrom('article').select('id').execute()
  await writeArticleWords(
    db,
    all.map(({ id }) => id),
  )
}

/** Two attachments of the newest announcement: a form and a table. */
async function fillAttachments(db: Db, files: Files) {
  const { rows } = await sql<{ id: string }>`
    select id from article where column_id = (select id from news_column where code = 'notices')
    order by pinned desc, published_at desc limit 1`.execute(db)
  const [article] = rows
  if (!article) return
  const attachments = [
    {
      name: '办理说明.pdf',
      mediaType: 'application/pdf',
      bytes: onePagePdf('Jianglan University'),
    },
    {
      name: '时间安排.csv',
      mediaType: 'text/csv',
      bytes: Buffer.from(
        '\ufeff日期,事项,地点\r\n第一周,报名,行政楼 201\r\n第二周,审核,行政楼 203\r\n',
      ),
    },
  ]
  for (const [position, { name, mediaType, bytes }] of attachments.entries()) {
    const file = await files.keep(db, bytes, { mediaType, isPublic: false })
    await db
      .insertInto('article_attachment')
      .values({ article_id: article.id, file_id: file, name, position })
      .execute()
  }
}

/** A minimal PDF page. */
function onePagePdf(text: string) {
  const content = `BT /F1 24 Tf 72 760 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = pdf.length
    pdf += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = pdf.length
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(pdf, 'latin1')
}

/** Comments on the newest articles, by article. */
const remarks: string[][] = [
  ['期待！希望现场能留一些站票。', '去年错过了，今年一定去。', '建议把时间安排也发到院系群里。'],
  ['照片拍得真好。', '为同学们点赞！'],
  ['请问校外人员可以参加吗？', '辛苦各位老师和志愿者。'],
  ['写得很清楚，收藏了。'],
  [],
  ['食堂的菜能再多一些就更好了。'],
]

/** The student's groups of message applications. */
export async function fillAppGroups(db: Db, accountIds: Ids) {
  const student = accountIds.get('student')
  await sql`
    with made as (
      insert into message_app_group (account_id, name, position)
      values (${student}::bigint, '学习', 1), (${student}::bigint, '生活', 2) returning id, position
    )
    insert into message_app_in_group (account_id, app_id, group_id)
    select ${student}::bigint, app.id, made.id from message_app app join made on made.position = app.position
    where app.position <= 2`.execute(db)
}
