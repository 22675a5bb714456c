import type { Calendar } from '@atrium/contract/work/calendars'
import { m } from '#paraglide/messages.js'

/** Calendars as all lists of them show them: one's own first, then by kind. Groups without a calendar are left out. */
export function groupCalendars(list: readonly Calendar[]) {
  const groups = [
    { name: m.schedule_kind_personal(), calendars: list.filter(({ mine }) => mine) },
    {
      name: m.schedule_kind_course(),
      calendars: list.filter(({ kind, mine }) => kind === 'course' && !mine),
    },
    { name: m.calendars_shared(), calendars: list.filter(({ owner }) => owner !== '') },
    {
      name: m.schedule_kind_public(),
      calendars: list.filter(({ kind, mine, owner }) => kind === 'public' && !mine && owner === ''),
    },
  ]
  return groups.filter(({ calendars }) => calendars.length > 0)
}
