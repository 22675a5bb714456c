import { formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'

const [hour, day] = [60, 24 * 60]

/** A reminder's time before an event, in words. All-day events begin at midnight. */
export function reminderName(minutes: number, allDay: boolean): string {
  if (allDay) {
    const days = Math.ceil(minutes / day)
    const time = formatTime(new Date((days * day - minutes) * 60_000), 'UTC')
    return days <= 0
      ? m.calendars_remind_same_day({ time })
      : m.calendars_remind_days_at({ count: days, time })
  }
  if (minutes === 0) return m.calendars_remind_start()
  if (minutes % day === 0) return m.calendars_remind_days({ count: minutes / day })
  if (minutes % hour === 0) return m.calendars_remind_hours({ count: minutes / hour })
  return m.calendars_remind_minutes({ count: minutes })
}

export const remindersText = (reminders: readonly number[], allDay: boolean) =>
  reminders.length === 0
    ? m.calendars_no_reminder()
    : reminders.map((minutes) => reminderName(minutes, allDay)).join(m.schedule_and())
