import { sql } from 'kysely'
import { accountsOf, type PersonalData } from '#platform/personal-data.ts'

export const newsPersonalData: PersonalData = {
  article_comment: {
    column: 'account_id',
    also: ['decided_account_id'],
    title: { zh: '我的评论', en: 'Comments written' },
    rows: (owner) => sql`
      select jsonb_build_object('article', a.title, 'content', c.content, 'status', c.status, 'reason', c.reason,
        'created_at', c.created_at) as row
      from article_comment c join article a on a.id = c.article_id
      where c.account_id = ${accountsOf(owner)} order by c.id`,
    closing: 'delete',
  },
  article_comment_report: {
    column: 'account_id',
    title: { zh: '我举报的评论', en: 'Comments reported' },
    rows: (owner) => sql`
      select jsonb_build_object('reason', reason, 'created_at', created_at) as row
      from article_comment_report where account_id = ${accountsOf(owner)} order by created_at`,
    closing: 'delete',
  },
  article_like: {
    column: 'account_id',
    title: { zh: '点赞的资讯', en: 'Articles liked' },
    rows: (owner) => sql`
      select jsonb_build_object('article', a.title, 'created_at', l.created_at) as row
      from article_like l join article a on a.id = l.article_id
      where l.account_id = ${accountsOf(owner)} order by l.created_at`,
    closing: 'delete',
  },
  news_subscription: {
    column: 'account_id',
    title: { zh: '资讯栏目订阅', en: 'News columns' },
    rows: (owner) => sql`
      select jsonb_build_object('column', c.name, 'subscribed', s.subscribed) as row
      from news_subscription s join news_column c on c.id = s.column_id
      where s.account_id = ${accountsOf(owner)} order by s.position`,
    closing: 'delete',
  },
  message_app_in_group: {
    column: 'account_id',
    untold: 'told with the groups themselves',
    closing: 'delete',
  },
  message_app_group: {
    column: 'account_id',
    title: { zh: '消息应用分组', en: 'Groups of message applications' },
    rows: (owner) => sql`
      select jsonb_build_object('name', g.name, 'applications', (
        select coalesce(jsonb_agg(a.name order by a.position), '[]') from message_app_in_group i
        join message_app a on a.id = i.app_id where i.group_id = g.id)) as row
      from message_app_group g where g.account_id = ${accountsOf(owner)} order by g.position`,
    closing: 'delete',
  },
}
