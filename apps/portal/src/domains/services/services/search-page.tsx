import './search-page.css'
import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSearchWord, useSettings } from '#shell/config.ts'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { clearSearches, readSearches, rememberSearch } from './search-history.ts'
import { ServiceGrid } from './service-grid.tsx'
import { ServiceList } from './service-list.tsx'
import { useDepartments, useRecommended, useServiceSearch } from './services-queries.ts'

const path = '/pages/service/search'

export default function SearchPage() {
  const { keyWords = '', organizationId } = useSearch(path)
  const suggestion = useSearchWord()
  const updateSearch = (words: string) => redirect(path, { keyWords: words, organizationId })
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.services_search()}
          keyWords={keyWords}
          suggestion={suggestion}
          onSearch={updateSearch}
          onSend={rememberSearch}
        />
        <DepartmentFilter
          chosen={organizationId}
          onChoose={(id) => redirect(path, { keyWords, organizationId: id })}
        />
        {keyWords || organizationId ? (
          <SearchResults keyWords={keyWords} organizationId={organizationId} />
        ) : (
          <>
            <History suggestion={suggestion} onChoose={updateSearch} />
            <Recommended />
          </>
        )}
      </div>
    </Page>
  )
}

type DepartmentFilterProps = {
  chosen: string | undefined
  onChoose: (organizationId: string | undefined) => void
}

/** Renders nothing if there is no choice; a chosen filter can be removed even if the list fails to load. */
function DepartmentFilter({ chosen, onChoose }: DepartmentFilterProps) {
  const { data = [], isPending } = useDepartments()
  // Keeps its place while the list loads.
  if (data.length < 2 && !chosen && !isPending) return null
  const isListed = data.some(({ organizationId }) => organizationId === chosen)
  return (
    <Select
      small
      aria-label={m.services_department()}
      value={chosen ?? ''}
      onValue={(id) => onChoose(id || undefined)}
    >
      <option value="">{m.services_department_all()}</option>
      {chosen && !isListed ? (
        <option value={chosen}>{m.services_department_chosen()}</option>
      ) : null}
      {data.map(({ organizationId, name, nameEn, count }) => (
        <option key={organizationId} value={organizationId}>
          {m.services_department_count({ name: inLanguage(name, nameEn), count })}
        </option>
      ))}
    </Select>
  )
}

type SearchResultsProps = { keyWords: string; organizationId: string | undefined }
function SearchResults({ keyWords, organizationId }: SearchResultsProps) {
  const found = useServiceSearch(keyWords, organizationId)
  return (
    <>
      <QueryView
        query={found}
        skeleton={<Skeleton rows={5} height={62} label={m.shell_loading()} />}
        isEmpty={({ pages }) => pages[0]?.total === 0}
        empty={
          <Empty
            icon="search"
            title={
              organizationId
                ? m.services_found_none_department()
                : m.services_found_none({ words: keyWords })
            }
          >
            {m.services_found_none_text()}
          </Empty>
        }
      >
        {({ pages }) => (
          <div className="service-found" aria-busy={found.isPlaceholderData}>
            <p className="muted num" role="status">
              {m.services_found({ count: pages[0]?.total ?? 0 })}
            </p>
            <ServiceList
              list={pages.flatMap((page) => page.list)}
              label={m.services_found_list()}
              words={keyWords}
              onOpen={() => rememberSearch(keyWords)}
            />
          </div>
        )}
      </QueryView>
      <ListEnd query={found} />
    </>
  )
}

/**
 * At most two rows. Renders nothing if there are no recommendations or loading fails, since the user came to search.
 */
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
