import { sql } from 'kysely'
import { operatedBy } from '#domains/content/editorial/queries.ts'
import { admittedAccounts, type Rule, visibleTo } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Member } from '#platform/http/guard.ts'
import type { ReaderCount } from './rules.ts'

const publishedArticles = (db: Db) =>
  db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .where('article.status', '=', sql.lit('published'))
    .where('article.published_at', '<=', sql<string>`now()`)

/** When this member confirmed an announcement they may read. */
export const findConfirmation = (db: Db, viewer: Member, id: string) =>
  publishedArticles(db)
    .leftJoin('announcement_confirmation as own', (join) =>
      join.onRef('own.article_id', '=', 'article.id').on('own.account_id', '=', viewer.accountId),
    )
    .select(['article.needs_confirmation as needsConfirmation', 'own.confirmed_at as confirmedAt'])
    .where('article.id', '=', id)
    .where(visibleTo(viewer, 'news_column.audience_id'))
    .executeTakeFirst()

export const insertConfirmation = (db: Db, articleId: string, accountId: string) =>
  db
    .insertInto('announcement_confirmation')
    .values({ article_id: articleId, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** A published announcement, if the operator is responsible for it. */
export const findOwnAnnouncement = (db: Db, viewer: Member, id: string) =>
  publishedArticles(db)
    .innerJoin('audience', 'audience.id', 'news_column.audience_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select([
      'article.id',
      'article.title',
      'article.needs_confirmation as needsConfirmation',
      'article.reminded_at as remindedAt',
      'audience.rules',
    ])
    .where('article.id', '=', id)
    .where(operatedBy(viewer))
    .executeTakeFirst()

const selectRecipients = (db: Db, articleId: string, rules: readonly Rule[]) =>
  db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .leftJoin('announcement_confirmation as confirmation', (join) =>
      join
        .onRef('confirmation.account_id', '=', 'account.id')
        .on('confirmation.article_id', '=', articleId),
    )
    // Members who have never signed in have not read it either.
    .where('account.status', '<>', 'disabled')
    .where(admittedAccounts(rules))

/** Counts of all recipients by organisation. */
export const countReaders = (
  db: Db,
  articleId: string,
  rules: readonly Rule[],
): Promise<ReaderCount[]> =>
  selectRecipients(db, articleId, rules)
    .select(['organization.code', 'organization.name', 'organization.name_en as nameEn'])
    .select([
      sql<number>`count(confirmation.account_id)::integer`.as('confirmed'),
      sql<number>`(count(*) - count(confirmation.account_id))::integer`.as('waiting'),
    ])
    .groupBy('organization.id')
    .orderBy('organization.position')
    .orderBy('organization.id')
    .execute()

/** Records a reminder. @returns undefined if one was sent within 24 hours */
export const markReminded = (db: Db, id: string) =>
  db
    .updateTable('article')
    .set({ reminded_at: sql`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(reminded_at is null or reminded_at < now() - interval '24 hours')`)
    .returning('id')
    .executeTakeFirst()

/** Accounts of all recipients who have not confirmed. */
export async function listWaitingReaders(
  db: Db,
  articleId: string,
  rules: readonly Rule[],
): Promise<string[]> {
  const rows = await selectRecipients(db, articleId, rules)
    .where('confirmation.account_id', 'is', null)
    .select('account.id')
    .execute()
  return rows.map(({ id }) => id)
}
