import { type RawBuilder, sql } from 'kysely'
import { operated } from '#domains/content/editorial/queries.ts'
import { type Rule, visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Count } from './rules.ts'

const shown = (db: Db) =>
  db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .where('article.status', '=', sql.lit('published'))
    .where('article.published_at', '<=', sql<string>`now()`)

/** An announcement this member may read, with when they confirmed it. */
export const findReading = (db: Db, viewer: Member, id: string) =>
  shown(db)
    .leftJoin('announcement_confirmation as own', (join) =>
      join.onRef('own.article_id', '=', 'article.id').on('own.account_id', '=', viewer.accountId),
    )
    .select(['article.needs_confirmation as asked', 'own.confirmed_at as confirmedAt'])
    .where('article.id', '=', id)
    .where(visibleTo(viewer, 'news_column.audience_id'))
    .executeTakeFirst()

export const insertConfirmation = (db: Db, articleId: string, accountId: string) =>
  db
    .insertInto('announcement_confirmation')
    .values({ article_id: articleId, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** An announcement that is shown, for those who look after it. */
export const findOwnAnnouncement = (db: Db, viewer: Member, id: string) =>
  shown(db)
    .innerJoin('audience', 'audience.id', 'news_column.audience_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select([
      'article.id',
      'article.title',
      'article.needs_confirmation as asked',
      'article.reminded_at as remindedAt',
      'audience.rules',
    ])
    .where('article.id', '=', id)
    .where(operated(viewer))
    .executeTakeFirst()

/** Whom rules let in, as a condition on `account` with its `organization`: what `admits` decides for one. */
function admitted(rules: readonly Rule[]): RawBuilder<boolean> {
  const condition = (rule: Rule) => {
    switch (rule.kind) {
      case 'everybody':
        return sql<boolean>`true`
      case 'guests':
        return sql<boolean>`false`
      case 'identity':
        return sql<boolean>`account.identity_type_code = ${rule.target}`
      case 'organization':
        return sql<boolean>`${rule.target} = any(organization.path)`
      case 'group':
        return sql<boolean>`exists (
          select from group_member m join member_group g on g.id = m.group_id where m.account_id = account.id and g.code = ${rule.target})`
      case 'account':
        return sql<boolean>`account.id = ${rule.target}::bigint`
    }
  }
  const any = (effect: Rule['effect']) => {
    const of = rules.filter((rule) => rule.effect === effect).map(condition)
    return of.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(of, sql` or `)})`
  }
  return sql<boolean>`${any('include')} and not ${any('exclude')}`
}

const readers = (db: Db, articleId: string, rules: readonly Rule[]) =>
  db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .leftJoin('announcement_confirmation as confirmation', (join) =>
      join
        .onRef('confirmation.account_id', '=', 'account.id')
        .on('confirmation.article_id', '=', articleId),
    )
    // Who has not been here yet has not read it either.
    .where('account.status', '<>', 'disabled')
    .where(admitted(rules))

/** Everybody who is asked, by the organisation they are in. */
export const countReaders = (db: Db, articleId: string, rules: readonly Rule[]): Promise<Count[]> =>
  readers(db, articleId, rules)
    .select(['organization.code', 'organization.name', 'organization.name_en as nameEn'])
    .select([
      sql<number>`count(confirmation.account_id)::integer`.as('confirmed'),
      sql<number>`(count(*) - count(confirmation.account_id))::integer`.as('waiting'),
    ])
    .groupBy('organization.id')
    .orderBy('organization.position')
    .orderBy('organization.id')
    .execute()

/** Marks that it was reminded of. @returns nothing where somebody did so within a day */
export const markReminded = (db: Db, id: string) =>
  db
    .updateTable('article')
    .set({ reminded_at: sql`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(reminded_at is null or reminded_at < now() - interval '24 hours')`)
    .returning('id')
    .executeTakeFirst()

/** One message to everybody who has not confirmed. @returns to how many */
export async function remindReaders(
  db: Db,
  article: { id: string; title: string },
  rules: readonly Rule[],
): Promise<number> {
  const app = await db
    .insertInto('message_app')
    .values({
      code: 'atrium-announcements',
      name: '公告提醒',
      name_en: 'Announcements',
      glyph: 'news',
      tone: 'orange',
      position: 890,
    })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ code: 'atrium-announcements' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = await db
    .insertInto('message')
    .values({
      app_id: app.id,
      title: `请确认阅读：${article.title}`,
      summary:
        '这条公告需要你确认阅读。This announcement asks you to confirm that you have read it.',
      url: `/pagesA/news/detail?id=${article.id}`,
    })
    .returning(['id', 'sent_at'])
    .executeTakeFirstOrThrow()
  const sent = await db
    .insertInto('message_delivery')
    .columns(['account_id', 'message_id', 'app_id', 'sent_at'])
    .expression(
      readers(db, article.id, rules)
        .where('confirmation.account_id', 'is', null)
        .select([
          'account.id',
          sql<string>`${message.id}::bigint`.as('message_id'),
          sql<string>`${app.id}::bigint`.as('app_id'),
          sql<string>`${message.sent_at}::timestamptz`.as('sent_at'),
        ]),
    )
    .executeTakeFirst()
  return Number(sent.numInsertedOrUpdatedRows ?? 0n)
}
