import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { listPlacesOfRoom } from '#domains/shell/map/queries.ts'
import { getOccurrence } from '#domains/work/schedule/queries.ts'
import type { Db } from '#platform/database/db.ts'

/** Time and place of an event in both languages, for the given occurrence or the next one. */
export async function describeTime(db: Db, eventId: string, startsAt?: string) {
  const occurrence = await getOccurrence(db, eventId, startsAt)
  const event = await db
    .selectFrom('event')
    .select(['time_zone', 'all_day', 'location', 'rrule'])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (!occurrence || !event) return { zh: '', en: '' }
  const location = occurrence.location ?? event.location
  const locationEn = location && roomInEnglish(location, await listPlacesOfRoom(db, location))
  const words = (language: 'zh-CN' | 'en-GB') =>
    [
      new Intl.DateTimeFormat(language, {
        timeZone: event.time_zone,
        month: 'short',
        day: 'numeric',
        weekday: 'short',
        ...(!event.all_day && { hour: '2-digit', minute: '2-digit' }),
      }).format(new Date(occurrence.starts_at)),
      language === 'zh-CN' ? location : locationEn || location,
      event.rrule && !startsAt ? (language === 'zh-CN' ? '重复' : 'repeats') : '',
    ]
      .filter(Boolean)
      .join(' · ')
  return { zh: words('zh-CN'), en: words('en-GB') }
}
