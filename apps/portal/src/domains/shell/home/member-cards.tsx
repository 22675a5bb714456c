import type { Home } from '@atrium/contract/shell/home'
import { money, number } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'

/** The e-card, the library and the mailbox, as far as the institution has them. */
export function MemberCards({ cards: { eCard, books, mailbox } }: { cards: Home['cards'] }) {
  if (!eCard && !books && !mailbox) return null
  return (
    <dl className="member-cards">
      {eCard ? (
        <div>
          <dt>{m.home_ecard()}</dt>
          <dd className="num">{money(eCard.balance)}</dd>
        </div>
      ) : null}
      {books ? (
        <div>
          <dt>{m.home_books()}</dt>
          <dd className="num">
            {m.home_books_count({ count: books.borrowed })}
            {books.dueSoon > 0 ? <small>{m.home_books_due({ count: books.dueSoon })}</small> : null}
          </dd>
        </div>
      ) : null}
      {mailbox ? (
        <div>
          <dt>{m.home_mail()}</dt>
          <dd className="num">{m.home_mail_count({ count: number(mailbox.unread) })}</dd>
        </div>
      ) : null}
    </dl>
  )
}
