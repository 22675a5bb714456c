import './sources.css'
import type { Books } from '@atrium/contract/member/personal-sources'
import { dayIn } from '@atrium/rules/day-in'
import { useState } from 'react'
import { formatDay } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { AgeNote, AsOf } from './age-note.tsx'
import { Due } from './due.tsx'
import { useBooks } from './personal-sources-queries.ts'
import { RenewButton } from './renew-button.tsx'
import { withKeys } from './with-keys.ts'

/** The member's library loans with due dates, and past loans. */
export default function BooksPage() {
  const books = useBooks()
  const [tab, show] = useState<'loans' | 'history'>('loans')
  return (
    <Page onRefresh={books.refetch}>
      <div className="column stack">
        <QueryView
          query={books}
          skeleton={<Skeleton height={320} label={m.shell_loading()} />}
          isEmpty={(data) => data === null}
          empty={
            <Empty icon="book" title={m.personal_sources_no_reader()}>
              {m.personal_sources_no_reader_hint()}
            </Empty>
          }
        >
          {(data) =>
            data ? (
              <>
                <AgeNote of={data} onRetry={() => void books.refetch()} />
                <Tabs
                  variant="segment"
                  label={m.personal_sources_books_title()}
                  items={[
                    { value: 'loans', label: m.personal_sources_loans() },
                    { value: 'history', label: m.personal_sources_history() },
                  ]}
                  value={tab}
                  onChange={show}
                >
                  <div className="stack">
                    {tab === 'loans' ? <Loans books={data} /> : <History books={data} />}
                  </div>
                </Tabs>
                <AsOf of={data} />
              </>
            ) : null
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Loans({ books: { list } }: { books: Books }) {
  // Due dates are days of the institution's zone.
  const { timeZone } = useSystem()
  const today = dayIn(Date.now(), timeZone)
  if (list.length === 0) return <Empty icon="book" title={m.personal_sources_no_loans()} />
  return (
    <Card>
      <ul className="sources-list">
        {withKeys(list, ({ title, dueOn, id }) => `${id} ${title} ${dueOn}`).map((loan) => (
          <li key={loan.key} className="sources-line">
            <div className="sources-line-words">
              <p className="sources-line-title" lang={userTextLang(loan.title)}>
                {loan.title}
              </p>
              <p className="muted">
                <Facts of={[loan.author, inLanguage(loan.place ?? '', loan.placeEn ?? '')]} />
              </p>
              <p className="num">
                <Due today={today} dueOn={loan.dueOn} />
              </p>
            </div>
            {loan.id ? <RenewButton id={loan.id} title={loan.title} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function History({ books: { history = [] } }: { books: Books }) {
  if (history.length === 0) return <Empty icon="history" title={m.personal_sources_no_history()} />
  return (
    <Card>
      <ul className="sources-list">
        {withKeys(history, (one) => `${one.title} ${one.returnedOn}`).map(
          ({ key, title, returnedOn }) => (
            <li key={key} className="sources-line">
              <div className="sources-line-words">
                <p className="sources-line-title" lang={userTextLang(title)}>
                  {title}
                </p>
                <p className="muted num">
                  {m.personal_sources_returned({ date: formatDay(returnedOn, 'UTC') })}
                </p>
              </div>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
