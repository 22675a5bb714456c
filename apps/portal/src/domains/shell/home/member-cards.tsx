import type { Home } from '@atrium/contract/shell/home'
import { useCardSettings } from '#domains/member/e-card/card-settings.ts'
import { useCurrentData } from '#domains/member/personal-sources/personal-sources-queries.ts'
import { formatMoney, formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'

/** E-card, library and mailbox, as far as the institution has them. */
export function MemberCards({ cards }: { cards: Home['cards'] }) {
  // Stored data shows immediately and is replaced when the source system answers.
  const isPending = (name: string) => cards.pending?.includes(name) ?? false
  const newCard = useCurrentData('eCard', isPending('eCard'))
  const newBooks = useCurrentData('books', isPending('books'))
  const newMailbox = useCurrentData('mailbox', isPending('mailbox'))
  const eCard = newCard === undefined ? cards.eCard : newCard
  const books = newBooks === undefined ? cards.books : newBooks
  const mailbox = newMailbox === undefined ? cards.mailbox : newMailbox
  const { showBalance } = useCardSettings()
  if (!eCard && !books && !mailbox) return null
  return (
    <ul className="member-cards">
      {eCard ? (
        <li>
          <Link to="/pages/myInfo/eCard">
            <span className="member-card-name">{m.home_ecard()}</span>
            <b className="num">
              {showBalance
                ? formatMoney(eCard.balance)
                : m.personal_card_number({ number: eCard.cardNo })}
            </b>
          </Link>
        </li>
      ) : null}
      {books ? (
        <li>
          <Link to="/pages/myInfo/books">
            <span className="member-card-name">{m.home_books()}</span>
            <b className="num">
              {m.home_books_count({ count: books.borrowed })}
              {books.dueSoon > 0 ? (
                <small>{m.home_books_due({ count: books.dueSoon })}</small>
              ) : null}
            </b>
          </Link>
        </li>
      ) : null}
      {mailbox ? (
        <li>
          <Link to="/pages/myInfo/mailbox">
            <span className="member-card-name">{m.home_mail()}</span>
            <b className="num">{m.home_mail_count({ count: formatNumber(mailbox.unread) })}</b>
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
