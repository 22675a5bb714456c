import { m } from '#paraglide/messages.js'

const mondays = 1
/** Times offered for snoozing, in the device's time zone. */
export function snoozeTimes(now = new Date()) {
  const morning = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 8)
  const toMonday = (mondays - now.getDay() + 7) % 7 || 7
  return [
    { label: m.tasks_snooze_hour(), at: new Date(now.getTime() + 3_600_000) },
    { label: m.tasks_snooze_tomorrow(), at: morning(1) },
    { label: m.tasks_snooze_monday(), at: morning(toMonday) },
    { label: m.tasks_snooze_week(), at: morning(7) },
  ]
}
