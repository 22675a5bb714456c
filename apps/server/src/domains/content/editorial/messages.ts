import { sql } from 'kysely'
import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import { newestColumnId } from './queries.ts'

export const editorialMessages = defineBuiltInApp({
  code: 'atrium-editorial',
  name: '采编',
  nameEn: 'Newsroom',
  icon: { glyph: 'edit', tone: 'violet' },
  position: 895,
  kinds: {
    review: { name: '待审核的内容', nameEn: 'Texts to review', defaultChannels: ['push'] },
    decided: { name: '审核结果', nameEn: 'Decisions of reviewers', defaultChannels: ['push'] },
    remark: { name: '审阅意见', nameEn: 'Review comments', defaultChannels: ['push'] },
  },
})

/** Title, edit address and interested people for the newest text. */
async function describeArticle(db: Db, id: string) {
  const { rows } = await sql<{ title: string; titleEn: string; kind: string; columnId: string }>`
    select coalesce(v.content ->> 'title', article.title) as title,
      coalesce(v.content ->> 'titleEn', article.title_en) as "titleEn",
      coalesce(v.content ->> 'kind', article.kind) as kind, ${newestColumnId} as "columnId"
    from article left join article_work w on w.article_id = article.id
      left join article_version v on v.article_id = article.id and v.number = w.version
    where article.id = ${id}`.execute(db)
  const [row] = rows
  return {
    zh: row?.title ?? '',
    en: row?.titleEn || row?.title || '',
    columnId: row?.columnId ?? '0',
    url: `/pages/secondWork/gonggao/gonggaoSet?id=${id}&kind=${row?.kind ?? 'article'}`,
  }
}

const listOthers = async (
  db: Db,
  viewer: Member,
  accounts: ReturnType<typeof sql<{ id: string }>>,
) => {
  const { rows } = await accounts.execute(db)
  return rows.map(({ id }) => id).filter((id) => id !== viewer.accountId)
}

/** Notifies the named reviewers of the newest text's column; without any, the text only appears at the workbench. */
export async function notifyReviewers(db: Db, viewer: Member, id: string) {
  const article = await describeArticle(db, id)
  const accounts = await listOthers(
    db,
    viewer,
    sql`select account_id as id from news_column_reviewer where column_id = ${article.columnId}`,
  )
  if (accounts.length === 0) return
  await sendMessage(db, {
    kind: editorialMessages.kinds.review,
    to: { accounts },
    title: { zh: `请审核：${article.zh}`, en: `Please review: ${article.en}` },
    url: article.url,
  })
}

const headings = {
  approved: { zh: '审核通过', en: 'Approved' },
  refused: { zh: '已退回', en: 'Sent back' },
  remark: { zh: '有新的审阅意见', en: 'New review comment' },
}

/** Notifies the authors of the newest text about a review. @param note in the reviewer's words */
export async function notifyWriters(
  db: Db,
  viewer: Member,
  id: string,
  event: keyof typeof headings,
  note = '',
) {
  const article = await describeArticle(db, id)
  const accounts = await listOthers(
    db,
    viewer,
    sql`select distinct v.writer_account_id as id from article_version v join article_work w
        on w.article_id = v.article_id and v.number > coalesce(w.approved_version, 0)
        where v.article_id = ${id} and v.writer_account_id is not null
      union select v.writer_account_id from article_version v join article_work w
        on w.article_id = v.article_id and v.number = w.version
        where v.article_id = ${id} and v.writer_account_id is not null`,
  )
  if (accounts.length === 0) return
  const { zh, en } = headings[event]
  await sendMessage(db, {
    kind: event === 'remark' ? editorialMessages.kinds.remark : editorialMessages.kinds.decided,
    to: { accounts },
    title: { zh: `${zh}：${article.zh}`, en: `${en}: ${article.en}` },
    ...(note && { summary: { zh: note, en: note } }),
    url: article.url,
  })
}
