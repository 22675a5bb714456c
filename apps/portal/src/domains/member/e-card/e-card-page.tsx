import './e-card-page.css'
import { eCard } from '@atrium/contract/member/e-card'
import { type ECard, personalSources } from '@atrium/contract/member/personal-sources'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AgeNote, AsOf } from '#domains/member/personal-sources/age-note.tsx'
import { useECard } from '#domains/member/personal-sources/personal-sources-queries.ts'
import { withKeys } from '#domains/member/personal-sources/with-keys.ts'
import { format, formatDay, formatMoney, formatTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { useCardSettings } from './card-settings.ts'
import { statusText } from './card-tile.tsx'
import { FreezeCard } from './freeze-card.tsx'
import { MonthChart } from './month-chart.tsx'

/** The campus card: balance, payments, and freezing it. */
export default function ECardPage() {
  const card = useECard()
  const sets = useCardSettings()
  return (
    <Page onRefresh={card.refetch}>
      <div className="column stack">
        <QueryView
          query={card}
          skeleton={<Skeleton height={180} label={m.shell_loading()} />}
          isEmpty={(data) => data === null}
          empty={
            <Empty icon="card" title={m.e_card_none()}>
              {m.e_card_none_hint()}
            </Empty>
          }
        >
          {(data) =>
            data ? (
              <>
                <AgeNote of={data} onRetry={() => void card.refetch()} />
                <Face card={data} />
                {sets.payCode ? (
                  <Link
                    to="/pages/myInfo/payCode"
                    className="button button-primary button-wide e-card-to-code"
                  >
                    <Icon name="qr" />
                    {m.e_card_code_title()}
                  </Link>
                ) : null}
                {sets.freeze && data.mayFreeze ? <FreezeCard card={data} /> : null}
                {sets.flow ? <Flow /> : null}
                <AsOf of={data} />
              </>
            ) : null
          }
        </QueryView>
        <Uses />
      </div>
    </Page>
  )
}

function Face({ card }: { card: ECard }) {
  const { showBalance, limits } = useCardSettings()
  const { balance, cardNo, status = 'active', paymentLimit, dayLimit } = card
  return (
    <Card>
      <div className="e-card-face">
        <div>
          <p className="muted">{showBalance ? m.personal_card_balance() : m.e_card_title()}</p>
          {showBalance ? <p className="e-card-face-balance num">{formatMoney(balance)}</p> : null}
        </div>
        <div className="e-card-face-side">
          <Pill tone={status === 'active' ? 'green' : 'orange'}>{statusText(status)}</Pill>
          <p className="muted num">{m.personal_card_number({ number: cardNo })}</p>
        </div>
      </div>
      {limits && (paymentLimit || dayLimit) ? (
        <dl className="e-card-limits">
          {paymentLimit ? (
            <div>
              <dt>{m.e_card_payment_limit()}</dt>
              <dd className="num">{formatMoney(paymentLimit)}</dd>
            </div>
          ) : null}
          {dayLimit ? (
            <div>
              <dt>{m.e_card_day_limit()}</dt>
              <dd className="num">{formatMoney(dayLimit)}</dd>
            </div>
          ) : null}
        </dl>
      ) : null}
    </Card>
  )
}

/** The payments of one month, with links to other months. */
function Flow() {
  const [month, choose] = useState<string>()
  const flow = useQuery({
    ...q(personalSources.eCardData, { query: month ? { month } : {} }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryView query={flow} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
      {(data) => {
        if (!data) return null
        const at = data.months.findIndex((one) => one.month === data.month)
        const sums = data.months[at]
        const before = data.months[at + 1]?.month
        const after = data.months[at - 1]?.month
        return (
          <Card>
            <div className="e-card-months">
              <IconButton
                label={m.e_card_month_before()}
                disabled={!before}
                onClick={() => choose(before)}
              >
                <Icon name="back" />
              </IconButton>
              <h2 className="num" aria-live="polite">
                {format(`${data.month}-01`, { year: 'numeric', month: 'long', timeZone: 'UTC' })}
              </h2>
              <IconButton
                label={m.e_card_month_after()}
                disabled={!after}
                onClick={() => choose(after)}
              >
                <Icon name="chevron" />
              </IconButton>
            </div>
            <dl className="e-card-sums">
              <div>
                <dt>{m.e_card_spent()}</dt>
                <dd className="num">{formatMoney(sums?.spent ?? '0')}</dd>
              </div>
              <div>
                <dt>{m.e_card_added()}</dt>
                <dd className="num">{formatMoney(sums?.added ?? '0')}</dd>
              </div>
            </dl>
            <MonthChart month={data.month} days={data.days} />
            {data.list.length === 0 ? (
              <p className="muted e-card-nothing">{m.e_card_no_payments()}</p>
            ) : (
              <ul className="e-card-list">
                {withKeys(data.list, (one) => `${one.at} ${one.place} ${one.amount}`).map(
                  ({ key, at, place, placeEn, amount }) => {
                    const shownPlace = inLanguage(place, placeEn)
                    return (
                      <li key={key}>
                        <span className="e-card-list-words">
                          <span lang={userTextLang(shownPlace)}>
                            {shownPlace || m.e_card_payment()}
                          </span>
                          <span className="muted num">{`${formatDay(at)} ${formatTime(at)}`}</span>
                        </span>
                        <span className={Number(amount) < 0 ? 'num' : 'num e-card-added'}>
                          {Number(amount) < 0
                            ? `−${formatMoney(amount.slice(1))}`
                            : `+${formatMoney(amount)}`}
                        </span>
                      </li>
                    )
                  },
                )}
              </ul>
            )}
          </Card>
        )
      }}
    </QueryView>
  )
}

/** Recent uses of the codes: payments and identifications. */
function Uses() {
  const { data = [] } = useQuery(q(eCard.uses))
  if (data.length === 0) return null
  return (
    <Card title={m.e_card_uses()}>
      <ul className="e-card-list">
        {data.slice(0, 10).map(({ at, purpose, system, systemEn, place }) => {
          const where = place || inLanguage(system, systemEn)
          return (
            <li key={at}>
              <span className="e-card-list-words">
                <span lang={userTextLang(where)}>{where}</span>
                <span className="muted num">{`${formatDay(at)} ${formatTime(at)}`}</span>
              </span>
              <span className="muted">
                {purpose === 'pay' ? m.e_card_use_pay() : m.e_card_use_identity()}
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
