import type { Service } from '@atrium/contract/services/services'
import { formatDecimal, formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Rate } from '#ui/form/rate.tsx'
import { useNewestOpinions, useScore } from './evaluation-queries.ts'
import { OpinionText } from './opinion-text.tsx'

/**
 * A summary of a service's ratings, with a link to add one. Renders nothing if the institution has turned ratings off.
 */
export function ServiceOpinions({ service }: { service: Service }) {
  const { serviceId, serviceNo } = service
  const { data } = useScore(serviceNo)
  const shown = data !== undefined && data.average !== null
  const newest = useNewestOpinions(serviceNo, shown)
  if (!data || data.mode === 'off') return null
  return (
    <section className="service-opinions">
      <div className="service-opinions-head">
        <h3>{m.evaluation_opinions()}</h3>
        {data.average !== null && data.count !== null ? (
          <>
            <Rate label={m.evaluation_average()} value={data.average} />
            <span className="muted num">
              {m.evaluation_score({
                average: formatDecimal(data.average),
                count: formatNumber(data.count),
              })}
            </span>
          </>
        ) : (
          <span className="muted">{m.evaluation_few()}</span>
        )}
      </div>
      {newest.data?.list.map((opinion) => (
        <OpinionText key={opinion.id} opinion={opinion} />
      ))}
      <div>
        <Link className="service-opinions-all" to="/pages/service/evaluate" search={{ serviceId }}>
          {m.evaluation_all()}
        </Link>
      </div>
    </section>
  )
}
