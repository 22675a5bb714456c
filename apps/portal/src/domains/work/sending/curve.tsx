import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useCurve } from './sending-queries.ts'

const [width, height] = [300, 90]

/** The number of recipients reached, and of those who did what was asked, over time. */
export function Curve({ sendId }: { sendId: string }) {
  const curve = useCurve(sendId)
  return (
    <Card title={m.sending_curve()}>
      <QueryView query={curve} skeleton={<Skeleton height={120} label={m.shell_loading()} />}>
        {(points) => <Lines points={points} />}
      </QueryView>
    </Card>
  )
}

type Point = { at: string; delivered: number; confirmed: number }

function Lines({ points }: { points: Point[] }) {
  const [first, last] = [points[0], points[points.length - 1]]
  if (!first || !last) return null
  const top = Math.max(1, last.delivered)
  const line = (read: (point: Point) => number) =>
    points
      .map(
        (point, index) =>
          `${(index / Math.max(1, points.length - 1)) * width},${height - (read(point) / top) * height}`,
      )
      .join(' ')
  return (
    <figure className="sending-curve">
      <svg
        viewBox={`0 -3 ${width} ${height + 6}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={m.sending_curve_text({
          delivered: last.delivered,
          confirmed: last.confirmed,
          time: formatDayAndTime(last.at),
        })}
      >
        <polyline className="curve-delivered" points={line(({ delivered }) => delivered)} />
        <polyline className="curve-confirmed" points={line(({ confirmed }) => confirmed)} />
      </svg>
      <figcaption className="muted num">
        <span>{formatDayAndTime(first.at)}</span>
        <span>{formatDayAndTime(last.at)}</span>
      </figcaption>
      <ul className="sending-curve-key">
        <li>
          <span className="figure-dot figure-gone" aria-hidden="true" />
          {m.sending_state_delivered()}
          <b className="num">{formatNumber(last.delivered)}</b>
        </li>
        <li>
          <span className="figure-dot figure-good" aria-hidden="true" />
          {m.sending_state_done()}
          <b className="num">{formatNumber(last.confirmed)}</b>
        </li>
      </ul>
    </figure>
  )
}
