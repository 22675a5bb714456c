import type { Candidate, Searchable } from '#platform/search-source.ts'
import { findMessages } from './queries.ts'

export const messagesSearch: Searchable = {
  records: [
    {
      kind: 'message',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset, alone }) {
        if (!viewer.signedIn) return []
        const found = await findMessages(db, viewer.accountId, text, {
          limit: offset + limit,
          alone,
        })
        return found.slice(offset).map(
          (message): Candidate => ({
            id: message.id,
            title: message.title,
            titleEn: message.title_en,
            text: message.summary,
            textEn: message.summary_en,
            at: message.sent_at,
            to: `/pagesA/message/detail?${new URLSearchParams({ id: message.id })}`,
          }),
        )
      },
    },
  ],
}
