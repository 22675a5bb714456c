import '#ui/feedback/skeleton.css'
import './sources.css'
import { dayIn } from '@atrium/rules/day-in'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Due } from './due.tsx'
import { useBooks } from './personal-sources-queries.ts'
import { RenewButton } from './renew-button.tsx'
import { withKeys } from './with-keys.ts'

/**
 * Loans that are overdue or due within three days, each with a renew button. Shown below the row that links to all
 * loans.
 */
export function DueLoans({ count }: { count: number }) {
  // Due dates are days of the institution's zone.
  const { timeZone } = useSystem()
  const today = dayIn(Date.now(), timeZone)
  const { data, isError } = useBooks()
  if (!data && !isError) return <LoadingRows count={count} />
  const list = (data?.list ?? []).filter(({ dueOn }) => daysLeft(today, dueOn) <= 3)
  if (list.length === 0) return null
  return (
    <ul className="sources-list" aria-label={m.personal_sources_due_list()}>
      {withKeys(list, ({ title, dueOn, id }) => `${id} ${title} ${dueOn}`).map((loan) => (
        <li key={loan.key} className="sources-line">
          <div className="sources-line-words">
            <p lang={userTextLang(loan.title)}>{loan.title}</p>
            <p className="num">
              <Due today={today} dueOn={loan.dueOn} />
            </p>
          </div>
          {loan.id ? <RenewButton id={loan.id} title={loan.title} /> : null}
        </li>
      ))}
    </ul>
  )
}

/** As tall as the expected content, so that the rows below do not move. */
const LoadingRows = ({ count }: { count: number }) => (
  <ul className="sources-list" aria-busy="true" aria-label={m.shell_loading()}>
    {Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows are all alike
      <li key={row} className="sources-line">
        <div className="sources-line-words skeleton-row">
          <p>{'\u00a0'}</p>
          <p className="num">{'\u00a0'}</p>
        </div>
      </li>
    ))}
  </ul>
)

const daysLeft = (today: string, dueOn: string) =>
  Math.round((Date.parse(dueOn) - Date.parse(today)) / 86_400_000)
