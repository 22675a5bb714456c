import type { SearchKind } from '@atrium/contract/discovery/search'
import { useContext } from 'react'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { KindResults } from './kind-results.tsx'
import { kinds } from './kinds.ts'
import { SearchBox } from './search-box.tsx'

const pathOfAny = '/pages/search/singleSearch'
/** Kinds with their own address. */
const ownPaths: Record<string, SearchKind> = {
  '/pages/search/service': 'service',
  '/pages/search/schedule': 'event',
}

/** The search of one kind: that of the path, or the one in the address. */
export default function SingleSearchPage() {
  const { path } = useContext(PageContext)
  // The search fields are parsed by this path's own route: some have no type.
  const { keyWords = '', type } = useSearch(pathOfAny)
  const kind = ownPaths[path] ?? type ?? 'service'
  const title = m.search_kind_title({ kind: kinds[kind].name() })
  return (
    <Page title={title}>
      <div className="column stack">
        <SearchBox
          label={title}
          keyWords={keyWords}
          onSearch={(words) =>
            redirect(
              path as typeof pathOfAny,
              ownPaths[path] ? { keyWords: words } : { keyWords: words, type: kind },
            )
          }
        />
        <KindResults kind={kind} keyWords={keyWords} />
      </div>
    </Page>
  )
}
