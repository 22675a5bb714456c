import type { SearchKind } from '@atrium/contract/discovery/search'
import { m } from '#paraglide/messages.js'
import type { IconName } from '#ui/media/icon.tsx'
import type { Tone } from '#ui/media/icon-tile.tsx'

type Kind = {
  name: () => string
  glyph: IconName
  tone: Tone
  /** Available to members only. */
  forMembers?: true
}

/** Names and icons of the kinds of results. */
export const kinds: Record<SearchKind, Kind> = {
  service: { name: m.search_kind_service, glyph: 'grid', tone: 'blue' },
  guide: { name: m.search_kind_guide, glyph: 'clipboard', tone: 'teal' },
  question: { name: m.search_kind_question, glyph: 'lightbulb', tone: 'amber' },
  page: { name: m.search_kind_page, glyph: 'mobile', tone: 'violet' },
  place: { name: m.search_kind_place, glyph: 'place', tone: 'green' },
  person: { name: m.search_kind_person, glyph: 'person', tone: 'blue', forMembers: true },
  news: { name: m.search_kind_news, glyph: 'news', tone: 'orange' },
  column: { name: m.search_kind_column, glyph: 'book', tone: 'orange' },
  message: { name: m.search_kind_message, glyph: 'message', tone: 'violet', forMembers: true },
  task: { name: m.search_kind_task, glyph: 'stamp', tone: 'amber', forMembers: true },
  todo: { name: m.search_kind_todo, glyph: 'check', tone: 'green', forMembers: true },
  event: { name: m.search_kind_event, glyph: 'calendar', tone: 'teal', forMembers: true },
  file: { name: m.search_kind_file, glyph: 'file', tone: 'blue', forMembers: true },
}
