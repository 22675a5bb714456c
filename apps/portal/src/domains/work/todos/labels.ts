import type { Todo } from '@atrium/contract/work/todos'
import { m } from '#paraglide/messages.js'

export const repeatName: Record<Todo['repeat'], () => string> = {
  none: m.todos_repeat_none,
  daily: m.todos_repeat_daily,
  weekdays: m.todos_repeat_weekdays,
  weekly: m.todos_repeat_weekly,
  monthly: m.todos_repeat_monthly,
  yearly: m.todos_repeat_yearly,
}

const [hour, day] = [60, 24 * 60]

/** A reminder's time before the due time, in words. */
export function reminderName(minutes: number): string {
  if (minutes === 0) return m.todos_remind_at()
  if (minutes % day === 0) return m.todos_remind_days({ count: minutes / day })
  if (minutes % hour === 0) return m.todos_remind_hours({ count: minutes / hour })
  return m.todos_remind_minutes({ count: minutes })
}
