import './card-tile.css'
import { useECard } from '#domains/member/personal-sources/personal-sources-queries.ts'
import { formatDayAndTime, formatMoney } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useCardSettings } from './card-settings.ts'

/** The campus card, if the member has one; links to payments and codes. */
export function CardTile({ onRetry }: { onRetry: () => void }) {
  const card = useECard()
  const { showBalance, payCode } = useCardSettings()
  // Also retries what failed beside it.
  const refetch = () => {
    onRetry()
    return card.refetch()
  }
  return (
    <QueryView
      query={{ ...card, refetch }}
      skeleton={<Skeleton height={132} label={m.shell_loading()} />}
    >
      {(data) =>
        data ? (
          <section className="e-card" aria-label={m.e_card_title()}>
            <Link to="/pages/myInfo/eCard" className="e-card-link">
              <span className="e-card-row">
                <span className="e-card-small">
                  {showBalance ? m.personal_card_balance() : m.e_card_title()}
                </span>
                <span className="e-card-small num">
                  {m.personal_card_number({ number: data.cardNo })}
                </span>
              </span>
              <span className="e-card-row">
                {showBalance ? (
                  <span className="e-card-balance num">{formatMoney(data.balance)}</span>
                ) : null}
                <span className="e-card-small num">
                  {data.status === 'active' || !data.status
                    ? m.personal_card_as_of({ time: formatDayAndTime(data.asOf) })
                    : statusText(data.status)}
                </span>
              </span>
            </Link>
            {payCode ? (
              <Link to="/pages/myInfo/payCode" className="e-card-code">
                <Icon name="qr" />
                {m.e_card_code_title()}
              </Link>
            ) : null}
          </section>
        ) : null
      }
    </QueryView>
  )
}

export const statusText = (status: 'active' | 'frozen' | 'lost') =>
  status === 'active'
    ? m.e_card_active()
    : status === 'frozen'
      ? m.e_card_frozen()
      : m.e_card_lost()
