import { useRef } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSearchWord } from '#shell/config.ts'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { AllResults } from './all-results.tsx'
import { useHistory } from './history.ts'
import { SearchBox } from './search-box.tsx'
import { Start } from './start.tsx'
import { useOpenResult } from './use-open-result.tsx'

const path = '/pages/search/wholeSearch'

/** The search of all kinds. The search terms are in the address, so that coming back restores them. */
export default function WholeSearchPage() {
  const { keyWords = '', exactly } = useSearch(path)
  const history = useHistory()
  const opening = useOpenResult()
  const defaultWords = useSearchWord()
  const member = useSession() !== null
  const results = useRef<HTMLDivElement>(null)
  const search = (words: string) => {
    history.remember(words)
    redirect(path, { keyWords: words })
  }
  return (
    <Page>
      <div className="column stack">
        <SearchBox
          label={member ? m.search_label() : m.search_label_visitor()}
          keyWords={keyWords}
          defaultWords={defaultWords}
          onSearch={search}
          onOpen={({ kind, to, serviceId }) => {
            if (kind !== 'history' && kind !== 'word') opening.open({ kind, id: '', to, serviceId })
          }}
          onFirst={() => results.current?.querySelector<HTMLElement>('a, button')?.click()}
        />
        {keyWords ? (
          <div ref={results} className="stack">
            <AllResults keyWords={keyWords} exactly={exactly} opening={opening} />
          </div>
        ) : (
          <Start history={history} onSearch={search} />
        )}
      </div>
      {opening.sheet}
    </Page>
  )
}
