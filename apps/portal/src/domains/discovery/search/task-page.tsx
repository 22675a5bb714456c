import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Tabs } from '#ui/tabs.tsx'
import { KindResults } from './kind-results.tsx'
import { kinds } from './kinds.ts'
import { SearchBox } from './search-box.tsx'

const path = '/pages/search/task'
const shown = ['task', 'todo'] as const

/** Searches tasks and the member's to-dos. */
export default function TaskSearchPage() {
  const { keyWords = '', type = 'task' } = useSearch(path)
  return (
    <Page>
      <div className="column stack">
        <SearchBox
          label={m.search_task_title()}
          keyWords={keyWords}
          onSearch={(words) => redirect(path, { keyWords: words, type })}
        />
        <Tabs
          variant="segment"
          label={m.search_by_kind()}
          items={shown.map((kind) => ({ value: kind, label: kinds[kind].name() }))}
          value={type}
          onChange={(next) => redirect(path, { keyWords, type: next })}
        >
          <KindResults key={type} kind={type} keyWords={keyWords} />
        </Tabs>
      </div>
    </Page>
  )
}
