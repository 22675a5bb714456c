import type { Remark } from '@atrium/contract/content/editorial-review.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'

/** Maximum remarks and replies per article. */
const maxRemarks = 500

/** Remarks on a text with their replies, oldest first. The caller has checked access. */
export async function listRemarks(db: Db, viewer: Member, articleId: string): Promise<Remark[]> {
  const rows = await db
    .selectFrom('article_remark as remark')
    .leftJoin('account', 'account.id', 'remark.account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .leftJoin('account as closing', 'closing.id', 'remark.resolved_account_id')
    .leftJoin('person as closer', 'closer.id', 'closing.person_id')
    .select([
      'remark.id',
      'remark.parent_id as parentId',
      'remark.version',
      'remark.language',
      'remark.quote',
      'remark.prefix',
      'remark.suffix',
      'remark.content',
      'remark.created_at as at',
      'remark.resolved_at as resolvedAt',
      sql<string>`coalesce(person.name, '')`.as('writtenBy'),
      sql<string>`coalesce(closer.name, '')`.as('resolvedBy'),
      sql<boolean>`coalesce(account.person_id = ${viewer.personId}::bigint, false)`.as('own'),
    ])
    .where('remark.article_id', '=', articleId)
    .orderBy('remark.id')
    .limit(maxRemarks)
    .execute()
  return rows
    .filter(({ parentId }) => parentId === null)
    .map(({ parentId: _parent, language, ...remark }) => ({
      ...remark,
      language: language as Remark['language'],
      answers: rows
        .filter(({ parentId }) => parentId === remark.id)
        .map(({ id, content, writtenBy, own, at }) => ({ id, content, writtenBy, own, at })),
    }))
}

type NewRemark = {
  articleId: string
  parentId: string | null
  language: Remark['language']
  quote: string
  prefix: string
  suffix: string
  content: string
}

/** @throws news.remarks_full */
export async function insertRemark(db: Db, viewer: Member, remark: NewRemark) {
  const { count } = await db
    .selectFrom('article_remark')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('article_id', '=', remark.articleId)
    .executeTakeFirstOrThrow()
  if (count >= maxRemarks) fail('news.remarks_full')
  await db
    .insertInto('article_remark')
    .values({
      article_id: remark.articleId,
      parent_id: remark.parentId,
      version: sql<number>`coalesce((select version from article_work where article_id = ${remark.articleId}), 1)`,
      language: remark.language,
      quote: remark.quote,
      prefix: remark.prefix,
      suffix: remark.suffix,
      content: remark.content.trim(),
      account_id: viewer.accountId,
    })
    .execute()
}

/** A top-level remark of this article. @throws news.remark_not_found */
export const getRemark = async (db: Db, articleId: string, id: string) =>
  (await db
    .selectFrom('article_remark')
    .select(['id', 'language'])
    .where('article_id', '=', articleId)
    .where('id', '=', id)
    .where('parent_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()) ?? fail('news.remark_not_found')

export const setResolved = (db: Db, viewer: Member, id: string, resolved: boolean) =>
  db
    .updateTable('article_remark')
    .set({
      resolved_at: resolved ? sql<string>`now()` : null,
      resolved_account_id: resolved ? viewer.accountId : null,
    })
    .where('id', '=', id)
    .execute()

/** @returns whether a remark of the viewer was deleted */
export async function deleteRemark(db: Db, viewer: Member, articleId: string, id: string) {
  const { numDeletedRows } = await db
    .deleteFrom('article_remark')
    .where('article_id', '=', articleId)
    .where('id', '=', id)
    .where(
      'account_id',
      'in',
      db.selectFrom('account').select('id').where('person_id', '=', viewer.personId),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}
