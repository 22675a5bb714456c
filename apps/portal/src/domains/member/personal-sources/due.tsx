import { formatDay } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'

/** When a loan is due, highlighted if soon or overdue. */
export function Due({ today, dueOn }: { today: string; dueOn: string }) {
  const daysLeft = Math.round((Date.parse(dueOn) - Date.parse(today)) / 86_400_000)
  const date = formatDay(dueOn, 'UTC')
  if (daysLeft < 0)
    return <Pill tone="orange">{m.personal_sources_overdue({ count: -daysLeft, date })}</Pill>
  if (daysLeft <= 3) return <Pill tone="amber">{m.personal_sources_due_soon({ date })}</Pill>
  return <span className="muted">{m.personal_sources_due({ date })}</span>
}
