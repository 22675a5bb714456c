import { searchKinds } from '@atrium/contract/discovery/search'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { KindResults } from './kind-results.tsx'
import { kinds } from './kinds.ts'
import { SearchBox } from './search-box.tsx'
import { useSearchAll } from './search-queries.ts'

const path = '/pages/search/allSearch'

/** All results, one tab per kind, best match first. */
export default function AllSearchPage() {
  const { keyWords = '', type } = useSearch(path)
  const found = useSearchAll(keyWords, false, 1)
  return (
    <Page>
      <div className="column stack">
        <SearchBox
          label={m.search_label()}
          keyWords={keyWords}
          onSearch={(words) => redirect(path, { keyWords: words })}
        />
        {keyWords ? (
          <QueryView
            query={found}
            skeleton={<Skeleton rows={6} height={62} label={m.shell_loading()} />}
            isEmpty={({ groups }) => groups.length === 0}
            empty={
              <Empty icon="search" title={m.search_none({ words: keyWords })}>
                {m.search_none_text()}
              </Empty>
            }
          >
            {({ groups }) => {
              const foundKinds = groups.map(({ kind }) => kind)
              const shown = type && searchKinds.includes(type) ? type : foundKinds[0]
              if (!shown) return null
              return (
                <Tabs
                  variant="line"
                  label={m.search_by_kind()}
                  items={(foundKinds.includes(shown) ? foundKinds : [shown, ...foundKinds]).map(
                    (kind) => ({
                      value: kind,
                      label: kinds[kind].name(),
                    }),
                  )}
                  value={shown}
                  onChange={(next) => redirect(path, { keyWords, type: next })}
                >
                  <KindResults key={shown} kind={shown} keyWords={keyWords} />
                </Tabs>
              )
            }}
          </QueryView>
        ) : (
          <Empty icon="search" title={m.search_title()}>
            {m.search_hint_text()}
          </Empty>
        )}
      </div>
    </Page>
  )
}
