import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const editorialPersonalData: PersonalData = {
  article: {
    column: 'author_account_id',
    title: { zh: '我撰写的资讯', en: 'Articles written' },
    rows: (owner) => sql`
      select jsonb_build_object('title', title, 'column', (select c.name from news_column c where c.id = column_id),
        'status', status, 'published_at', published_at) as row
      from article where author_account_id = ${accountsOf(owner)} order by id`,
    closing: { keep: 'what the institution published stays its own' },
  },
  article_version: {
    column: 'writer_account_id',
    untold: 'told with the articles themselves',
    closing: {
      anonymise: (owner) =>
        sql`update article_version set writer_account_id = null where writer_account_id = ${accountsOf(owner)}`,
    },
  },
  article_work: {
    column: 'reviewer_account_id',
    untold: 'says only that a text of the institution was looked at',
    closing: {
      anonymise: (owner) =>
        sql`update article_work set reviewer_account_id = null where reviewer_account_id = ${accountsOf(owner)}`,
    },
  },
  article_remark: {
    column: 'account_id',
    also: ['resolved_account_id'],
    title: { zh: '我的审阅意见', en: 'Review comments written' },
    rows: (owner) => sql`
      select jsonb_build_object('article', a.title, 'passage', r.quote, 'content', r.content, 'created_at', r.created_at) as row
      from article_remark r join article a on a.id = r.article_id where r.account_id = ${accountsOf(owner)} order by r.id`,
    closing: {
      anonymise: (owner) =>
        sql`update article_remark set account_id = null where account_id = ${accountsOf(owner)}`,
    },
  },
  news_column_reviewer: {
    column: 'account_id',
    title: { zh: '我审核的栏目', en: 'Columns reviewed' },
    rows: (owner) => sql`
      select jsonb_build_object('column', c.name) as row from news_column_reviewer r
      join news_column c on c.id = r.column_id where r.account_id = ${accountsOf(owner)} order by c.id`,
    closing: 'delete',
  },
}
