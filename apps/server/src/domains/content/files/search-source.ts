import { sql } from 'kysely'
import { contains } from '#platform/database/contains.ts'
import type { Candidate, Searchable } from '#platform/search-source.ts'

/** The member's own files, by name. */
export const filesSearch: Searchable = {
  records: [
    {
      kind: 'file',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const rows = await db
          .selectFrom('file_owner')
          .innerJoin('file', 'file.id', 'file_owner.file_id')
          .select(['file.id', 'file.name', 'file.created_at'])
          .where('file_owner.account_id', '=', viewer.accountId)
          .where(contains(sql.ref('file.name'), text))
          .orderBy('file.id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute()
        return rows.map(
          (row): Candidate => ({
            id: row.id,
            title: row.name ?? '',
            at: row.created_at,
            to: '/pages/myInfo/files',
          }),
        )
      },
    },
  ],
}
