import type { Candidate, Searchable } from '#platform/search-source.ts'
import { listMessages } from './queries.ts'

export const messagesSearch: Searchable = {
  records: [
    {
      kind: 'message',
      access: 'member',
      async find({ db }, viewer, { text }, { limit, offset }) {
        if (!viewer.signedIn) return []
        const { list } = await listMessages(db, viewer.accountId, {
          keyWords: text,
          pageSize: offset + limit,
        })
        return list.slice(offset).map(
          (message): Candidate => ({
            id: message.id,
            title: message.title,
            titleEn: message.titleEn,
            text: message.summary,
            textEn: message.summaryEn,
            at: message.sentAt,
            to: `/pagesA/message/detail?${new URLSearchParams({ id: message.id })}`,
          }),
        )
      },
    },
  ],
}
