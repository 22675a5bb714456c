import type { BookPost, bookPosts } from '@atrium/contract/member/address-book.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorPage, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { operatedIn } from '#platform/permissions.ts'

const username = /^[^\s]{1,128}$/u

function operated(viewer: Member) {
  const codes = operatedIn(viewer, 'identity')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

export const bookPostHandlers: Handlers<typeof bookPosts> = {
  async list({ db, viewer, query }) {
    const [after] = readCursor(query.cursor, [username]) ?? []
    const pageSize = pageSizeOf(query)
    const rows = await db
      .selectFrom('address_book_post as post')
      .innerJoin('account', 'account.id', 'post.account_id')
      .innerJoin('organization', 'organization.id', 'account.organization_id')
      .select([
        'account.username as accountName',
        'post.title',
        'post.title_en as titleEn',
        'post.office_phone as officePhone',
        'post.office',
        'post.office_en as officeEn',
        'post.position',
      ])
      .where(operated(viewer))
      .$if(query.organization !== undefined, (some) =>
        some.where(sql<boolean>`organization.path && ${[query.organization ?? '']}::text[]`),
      )
      .$if(after !== undefined, (some) => some.where('account.username', '>', after ?? ''))
      .orderBy('account.username')
      .limit(pageSize + 1)
      .execute()
    return cursorPage(
      rows,
      pageSize,
      (row) => [row.accountName],
      (row) => row,
    )
  },

  async put({ platform, viewer, body: { posts } }) {
    await platform.db.transaction().execute(async (db) => {
      await setPosts(db, viewer, posts)
      await invalidate(db, 'people')
    })
    return { changed: posts.length }
  },
}

/** @throws request.invalid if an account is unknown or outside the caller's organisations; both look the same */
async function setPosts(db: Db, viewer: Member, posts: readonly BookPost[]) {
  const names = posts.map(({ accountName }) => accountName.trim().toLowerCase())
  const accounts = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select(['account.id', 'account.username'])
    .where('account.username', '=', sql<string>`any(${names}::text[])`)
    .where(operated(viewer))
    .execute()
  const ids = new Map(accounts.map(({ id, username: name }) => [name, id]))
  const unknown = names.findIndex((name, index) => !ids.has(name) || names.indexOf(name) < index)
  if (unknown >= 0)
    fail('request.invalid', { fields: { [`posts.${unknown}.accountName`]: 'unknown' } })
  const rows = posts.map((post, index) => ({
    account_id: ids.get(names[index] ?? '') ?? '',
    title: post.title.trim(),
    title_en: post.titleEn.trim(),
    office_phone: post.officePhone.trim(),
    office: post.office.trim(),
    office_en: post.officeEn.trim(),
    position: post.position,
  }))
  await db
    .deleteFrom('address_book_post')
    .where('account_id', '=', sql<string>`any(${rows.map((row) => row.account_id)}::bigint[])`)
    .execute()
  const filledRows = rows.filter(
    (row) => row.title || row.title_en || row.office_phone || row.office,
  )
  if (filledRows.length > 0) await db.insertInto('address_book_post').values(filledRows).execute()
}
