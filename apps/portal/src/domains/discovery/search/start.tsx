import './start.css'
import type { ReactNode } from 'react'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { useHistory } from './history.ts'
import { KindGrid } from './kind-grid.tsx'
import { useHotWords } from './search-queries.ts'

type StartProps = {
  history: ReturnType<typeof useHistory>
  onSearch: (words: string) => void
}

/** Shown before anything is typed: the search history, frequent searches and links to single kinds. */
export function Start({ history, onSearch }: StartProps) {
  const { data: hot = [] } = useHotWords()
  return (
    <>
      {history.list.length > 0 ? (
        <WordGroup
          title={m.search_history()}
          words={history.list}
          onSearch={onSearch}
          action={
            <IconButton label={m.search_history_clear()} onClick={history.clear}>
              <Icon name="trash" />
            </IconButton>
          }
        />
      ) : null}
      {hot.length > 0 ? <WordGroup title={m.search_hot()} words={hot} onSearch={onSearch} /> : null}
      <section>
        <div className="search-start-head">
          <h2>{m.search_by_kind()}</h2>
          <Link className="search-start-more" to="/pages/search/entry">
            {m.search_settings()}
          </Link>
        </div>
        <KindGrid />
      </section>
    </>
  )
}

type WordGroupProps = {
  title: string
  words: readonly string[]
  onSearch: (words: string) => void
  action?: ReactNode
}
function WordGroup({ title, words, onSearch, action }: WordGroupProps) {
  return (
    <section>
      <div className="search-start-head">
        <h2>{title}</h2>
        {action}
      </div>
      <ul className="search-words">
        {words.map((one) => (
          <li key={one}>
            <Button kind="plain" small onClick={() => onSearch(one)}>
              <span className="one-line">{one}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
