import type { SourceKind } from '@atrium/contract/member/personal-source'
import type { PersonalSource } from '@atrium/contract/member/personal-sources.operator'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'

const kinds: Record<SourceKind, () => string> = {
  ecard: m.personal_sources_kind_ecard,
  books: m.personal_sources_kind_books,
  mailbox: m.personal_sources_kind_mailbox,
  research: m.personal_sources_kind_research,
  info: m.personal_sources_kind_info,
  scan: m.personal_sources_kind_scan,
}
export const kindName = (kind: SourceKind) => kinds[kind]()

const states = {
  good: { name: m.personal_sources_state_good, tone: 'green' },
  failing: { name: m.personal_sources_state_failing, tone: 'orange' },
  unasked: { name: m.personal_sources_state_unasked, tone: 'blue' },
  import: { name: m.personal_sources_state_import, tone: 'blue' },
} as const

/** The state of a source; undefined means none is connected. */
export function SourceState({ state }: { state: PersonalSource['state'] | undefined }) {
  if (!state) return <span className="muted">{m.personal_sources_state_none()}</span>
  const { name, tone } = states[state]
  return <Pill tone={tone}>{name()}</Pill>
}

const methods = {
  http: m.personal_sources_way_http,
  sql: m.personal_sources_way_sql,
  imap: m.personal_sources_way_imap,
  import: m.personal_sources_way_import,
} as const
export const methodName = (way: PersonalSource['way']) => methods[way]()
