import { sending } from '@atrium/contract/work/sending'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ChooserPage } from './chooser-page.tsx'
import { Courses, Events } from './courses-and-events.tsx'
import { ListEditor } from './list-editor.tsx'
import { Lists } from './lists.tsx'
import { SearchResults } from './search-results.tsx'

const path = '/msgCenter/pages/onlineSend/userGroup'
const parts = ['groups', 'lists', 'courses', 'events'] as const
type Part = (typeof parts)[number]

const names: Record<Part, () => string> = {
  groups: m.sending_groups,
  lists: m.sending_lists,
  courses: m.sending_courses,
  events: m.sending_events,
}
const searches: Record<Part, () => string> = {
  groups: m.sending_groups_search,
  lists: m.sending_lists_search,
  courses: m.sending_courses_search,
  events: m.sending_events_search,
}

/** Groups of recipients: groups of the institution, lists of people, courses, and participants of events. */
export default function GroupsPage() {
  const { part: requestedPart, keyWords = '', listId } = useSearch(path)
  if (listId) return <ListEditor listId={listId} />
  const part = parts.find((one) => one === requestedPart) ?? 'groups'
  return (
    <ChooserPage>
      <Tabs
        variant="line"
        label={m.sending_groups_kinds()}
        items={parts.map((value) => ({ value, label: names[value]() }))}
        value={part}
        onChange={(next) => redirect(path, { part: next })}
      >
        <div className="stack">
          <SearchForm
            key={part}
            label={searches[part]()}
            keyWords={keyWords}
            focus={false}
            onSearch={(words) => redirect(path, { part, keyWords: words || undefined })}
          />
          {part === 'groups' ? <Groups keyWords={keyWords} /> : null}
          {part === 'lists' ? <Lists keyWords={keyWords} /> : null}
          {part === 'courses' ? <Courses keyWords={keyWords} /> : null}
          {part === 'events' ? <Events keyWords={keyWords} /> : null}
        </div>
      </Tabs>
    </ChooserPage>
  )
}

function Groups({ keyWords }: { keyWords: string }) {
  const groups = useQuery(q(sending.groups, { query: { ...(keyWords && { keyWords }) } }))
  return (
    <SearchResults
      query={groups}
      label={m.sending_groups()}
      none={m.sending_groups_none()}
      rowOf={(one) => ({
        entry: { group_code: one.group_code, name: inLanguage(one.name, one.nameEn) },
        about: [m.sending_members({ count: formatNumber(one.members) })],
      })}
    />
  )
}
