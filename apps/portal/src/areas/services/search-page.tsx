import './search-page.css'
import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSearchWord, useSettings } from '#shell/config.ts'
import { redirect } from '#shell/navigation.ts'
import { Page } from '#shell/page.tsx'
import { useSearch } from '#shell/page-context.ts'
import { QueryView } from '#shell/query-view.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { SearchForm } from '#ui/search-form.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useOpenService } from './open-service.ts'
import { clearSearches, readSearches, rememberSearch } from './search-history.ts'
import { ServiceGrid } from './service-grid.tsx'
import { ServiceList } from './service-list.tsx'
import { useFoundServices, useRecommended } from './services-queries.ts'

const path = '/pages/service/search'

export default function SearchPage() {
  const { keyWords = '' } = useSearch(path)
  const suggestion = useSearchWord()
  const look = (words: string) => redirect(path, { keyWords: words })
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.services_search()}
          keyWords={keyWords}
          suggestion={suggestion}
          onLook={look}
          onSend={rememberSearch}
        />
        {keyWords ? (
          <Found keyWords={keyWords} />
        ) : (
          <>
            <History suggestion={suggestion} onChoose={look} />
            <Recommended />
          </>
        )}
      </div>
    </Page>
  )
}

function Found({ keyWords }: { keyWords: string }) {
  const found = useFoundServices(keyWords)
  return (
    <QueryView
      query={found}
      skeleton={<Skeleton rows={5} height={62} label={m.shell_loading()} />}
      isEmpty={({ total }) => total === 0}
      empty={
        <Empty icon="search" title={m.services_found_none({ words: keyWords })}>
          {m.services_found_none_text()}
        </Empty>
      }
    >
      {({ list, total }) => (
        <div className="service-found" aria-busy={found.isPlaceholderData}>
          <p className="muted num" role="status">
            {total > list.length
              ? m.services_found_more({ total, count: list.length })
              : m.services_found({ count: total })}
          </p>
          <ServiceList
            list={list}
            label={m.services_found_list()}
            words={keyWords}
            onOpen={() => rememberSearch(keyWords)}
          />
        </div>
      )}
    </QueryView>
  )
}

/** Two rows at most. Nothing where operators recommend nothing, or the list does not come: one came here to search. */
function Recommended() {
  const perRow = Number(useSettings().servicesNumPerRow) || figures.servicesPerRow
  const list = useRecommended(2 * perRow)
  const { open, opening } = useOpenService()
  if (list.length === 0) return null
  return (
    <Card title={m.services_recommended_list()}>
      <ServiceGrid list={list} opening={opening} onOpen={open} />
    </Card>
  )
}

type HistoryProps = { suggestion: string | undefined; onChoose: (words: string) => void }
function History({ suggestion, onChoose }: HistoryProps) {
  const [past, setPast] = useState(readSearches)
  if (past.length === 0)
    return (
      <Empty
        icon="search"
        title={m.services_search_hint()}
        action={
          suggestion ? (
            <Button kind="plain" onClick={() => onChoose(suggestion)}>
              {m.services_search_suggested({ words: suggestion })}
            </Button>
          ) : null
        }
      >
        {m.services_search_hint_text()}
      </Empty>
    )
  return (
    <section>
      <div className="search-past-head">
        <h2>{m.services_search_past()}</h2>
        <IconButton
          label={m.services_search_forget()}
          onClick={() => {
            clearSearches()
            setPast([])
          }}
        >
          <Icon name="trash" />
        </IconButton>
      </div>
      <ul className="search-past">
        {past.map((words) => (
          <li key={words}>
            <Button kind="plain" small onClick={() => onChoose(words)}>
              {words}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
