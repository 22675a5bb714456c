import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { RowList } from '#ui/list-row.tsx'
import { DueLoans } from './due-loans.tsx'
import { useOverview } from './personal-sources-queries.ts'

/** Links to the member's data from source systems, as far as there is any. */
export function OwnDataRows() {
  const { data } = useOverview()
  if (!data || !(data.books || data.mailbox || data.research || data.infoCards)) return null
  const { books, mailbox, research, infoCards } = data
  return (
    <RowList label={m.personal_sources_title()} values="beside">
      {books ? (
        <LinkRow
          to="/pages/myInfo/books"
          icon="book"
          value={
            books.dueSoon > 0
              ? m.personal_sources_count_due({ count: books.dueSoon })
              : m.personal_sources_count_books({ count: books.borrowed })
          }
        >
          {m.personal_sources_books_title()}
        </LinkRow>
      ) : null}
      {books && books.dueSoon > 0 ? (
        <li>
          <DueLoans count={books.dueSoon} />
        </li>
      ) : null}
      {mailbox ? (
        <LinkRow
          to="/pages/myInfo/mailbox"
          icon="mail"
          value={
            mailbox.unread > 0
              ? m.personal_sources_count_unread({ count: formatNumber(mailbox.unread) })
              : undefined
          }
        >
          {m.personal_sources_mailbox_title()}
        </LinkRow>
      ) : null}
      {research ? (
        <LinkRow to="/pages/myInfo/research" icon="flask">
          {m.personal_sources_research_title()}
        </LinkRow>
      ) : null}
      {infoCards ? (
        <LinkRow to="/pages/myInfo/infoCards" icon="database">
          {m.personal_sources_info_title()}
        </LinkRow>
      ) : null}
    </RowList>
  )
}
