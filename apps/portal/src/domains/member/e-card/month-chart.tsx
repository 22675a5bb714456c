import { formatMoney } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'

type MonthChartProps = { month: string; days: readonly { day: string; spent: string }[] }

/** Spending per day of a month, as bars. The list below has the same data as text. */
export function MonthChart({ month, days }: MonthChartProps) {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const spent = new Map(days.map(({ day, spent }) => [Number(day.slice(8)), Number(spent)]))
  const highest = Math.max(1, ...spent.values())
  const [width, gap, height] = [10, 3, 100]
  return (
    <figure className="e-card-chart">
      <svg
        viewBox={`0 0 ${count * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={m.e_card_chart({ highest: formatMoney(String(highest)) })}
      >
        {Array.from({ length: count }, (_, index) => index + 1).map((day) => {
          const value = spent.get(day) ?? 0
          const bar = value === 0 ? 1 : Math.max(4, (value / highest) * height)
          return (
            <rect
              key={`${month}-${day}`}
              className={value === 0 ? 'e-card-bar-none' : 'e-card-bar'}
              x={(day - 1) * width + gap / 2}
              y={height - bar}
              width={width - gap}
              height={bar}
              rx={1.5}
            />
          )
        })}
      </svg>
      <figcaption className="num" aria-hidden="true">
        <span>1</span>
        <span>{Math.ceil(count / 2)}</span>
        <span>{count}</span>
      </figcaption>
    </figure>
  )
}
