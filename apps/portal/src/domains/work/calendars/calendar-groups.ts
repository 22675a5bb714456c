import type { Calendar } from '@atrium/contract/work/calendars'
import { m } from '#paraglide/messages.js'

/** Each calendar belongs to one group. */
function groupOf({ mine, kind, owner }: Calendar) {
  if (mine) return 'personal'
  if (kind === 'course') return 'course'
  return owner ? 'shared' : 'public'
}

/** Calendars as all lists of them show them: one's own first, then by kind. Groups without a calendar are left out. */
export function groupCalendars(list: readonly Calendar[]) {
  const names = {
    personal: m.schedule_kind_personal(),
    course: m.schedule_kind_course(),
    shared: m.calendars_shared(),
    public: m.schedule_kind_public(),
  }
  return (['personal', 'course', 'shared', 'public'] as const)
    .map((group) => ({
      name: names[group],
      calendars: list.filter((calendar) => groupOf(calendar) === group),
    }))
    .filter(({ calendars }) => calendars.length > 0)
}
