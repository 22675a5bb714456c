import { clock, day, money } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { CountTo } from '#ui/count-to.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useECard, useProfile } from './personal-queries.ts'

/** The campus card, for whoever has one. */
export function ECard() {
  const card = useECard()
  const profile = useProfile()
  // What failed beside it is fetched again with it.
  const refetch = () => {
    if (profile.isError) void profile.refetch()
    return card.refetch()
  }
  return (
    <QueryView
      query={{ ...card, refetch }}
      skeleton={<Skeleton height={88} label={m.shell_loading()} />}
    >
      {(data) =>
        data ? (
          <section className="e-card">
            <div className="e-card-row">
              <h2 className="e-card-title">{m.personal_card_balance()}</h2>
              <p className="e-card-small num">{m.personal_card_number({ number: data.cardNo })}</p>
            </div>
            <div className="e-card-row">
              <p className="e-card-balance num">
                <CountTo value={Number(data.balance)} write={(value) => money(String(value))} />
              </p>
              <p className="e-card-small num">
                {m.personal_card_as_of({ time: `${day(data.asOf)} ${clock(data.asOf)}` })}
              </p>
            </div>
          </section>
        ) : null
      }
    </QueryView>
  )
}
