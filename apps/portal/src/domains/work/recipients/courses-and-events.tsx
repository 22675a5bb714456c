import { recipientGroups } from '@atrium/contract/work/sending/recipients'
import { useQuery } from '@tanstack/react-query'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { SearchResults } from './search-results.tsx'

const queryOf = (keyWords: string) => ({ query: { ...(keyWords && { keyWords }) } })

/** Courses, as recipients with all their members. */
export function Courses({ keyWords }: { keyWords: string }) {
  const courses = useQuery(q(recipientGroups.courses, queryOf(keyWords)))
  return (
    <SearchResults
      query={courses}
      label={m.sending_courses()}
      none={m.sending_courses_none()}
      hint={keyWords ? null : m.sending_courses_none_hint()}
      rowOf={({ courseId, code, members, teachers, ...one }) => ({
        entry: { courseId, name: inLanguage(one.name, one.nameEn) },
        about: [
          inLanguage(one.term, one.termEn),
          code,
          ...(teachers.length > 0
            ? [
                teachers
                  .map((each) => inLanguage(each.name, each.nameEn))
                  .join(m.sending_name_separator()),
              ]
            : []),
          m.sending_members({ count: formatNumber(members) }),
        ],
      })}
    />
  )
}

/** Events, as recipients with all participants who have not declined. */
export function Events({ keyWords }: { keyWords: string }) {
  const events = useQuery(q(recipientGroups.events, queryOf(keyWords)))
  return (
    <SearchResults
      query={events}
      label={m.sending_events()}
      none={m.sending_events_none()}
      hint={keyWords ? null : m.sending_events_none_hint()}
      rowOf={({ eventId, startsAt, members, external, ...one }) => ({
        entry: { eventId, name: inLanguage(one.title, one.titleEn) },
        about: [
          formatDayAndTime(startsAt),
          m.sending_members({ count: formatNumber(members) }),
          ...(external > 0 ? [m.sending_members_external({ count: formatNumber(external) })] : []),
        ],
      })}
    />
  )
}
