import type { Occurrence } from '@atrium/contract/work/schedule'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Empty } from '#ui/feedback/empty.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { daysFrom, lastDayOf, monthName } from './day-labels.ts'
import { DayList, type DayListProps } from './day-list.tsx'
import { type Day, type Month, monthOf } from './days.ts'
import type { DayContent } from './events-by-day.ts'

type AgendaProps = Omit<DayListProps, 'day' | 'content'> & {
  month: Month
  contentOf: (day: Day) => DayContent
}

/** All events of a month, day by day; for the current month from today on. A search covers the whole month. */
export function Agenda({ month, contentOf, ...shared }: AgendaProps) {
  const [words, setWords] = useState('')
  const searchTerm = words.trim().toLowerCase()
  const first = `${month}-01`
  const from = monthOf(shared.today) === month && !searchTerm ? shared.today : first
  const days = daysFrom(from, lastDayOf(month))
    .map((day) => {
      const content = contentOf(day)
      const events = content.events.filter((event) => matches(event, searchTerm))
      return { day, content: { ...content, events } }
    })
    .filter(({ content }) => content.events.length > 0)
  return (
    <>
      <div className="schedule-search">
        <SearchField label={m.schedule_search()} value={words} onValue={setWords} />
      </div>
      {days.map(({ day, content }) => (
        <DayList key={day} day={day} content={content} {...shared} />
      ))}
      {days.length > 0 ? null : searchTerm ? (
        <Empty
          icon="search"
          title={m.schedule_search_none({ month: monthName(month), words: words.trim() })}
        >
          {m.schedule_search_none_text()}
        </Empty>
      ) : (
        <Empty icon="calendar" title={m.schedule_none_in({ month: monthName(month) })}>
          {m.schedule_none_text()}
        </Empty>
      )}
    </>
  )
}

function matches({ title, titleEn, location, locationEn, person }: Occurrence, words: string) {
  // Months stored on the device by an older version have no English names of rooms.
  const text = `${title} ${titleEn} ${location} ${locationEn ?? ''} ${person}`.toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}
