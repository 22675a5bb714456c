import './workbench-page.css'
import { type WorkbenchFound, workbench } from '@atrium/contract/content/workbench.operator'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDay } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { UserText } from '#ui/user-text.tsx'
import { DepartmentPicker } from './department-picker.tsx'
import { inDepartment } from './workbench-queries.ts'

const path = '/pages/secondWork/search'

/** Searches everything that belongs to a department. */
export default function SearchPage() {
  const { department, keyWords = '' } = useSearch(path)
  const query = useQuery({
    ...q(workbench.find, { query: { ...inDepartment(department), keyWords } }),
    enabled: keyWords !== '',
    placeholderData: keepPreviousData,
  })
  const updateSearch = (search: { department: string | undefined; keyWords: string | undefined }) =>
    redirect(path, search)
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.workbench_search_label()}
          keyWords={keyWords}
          onSearch={(words) => updateSearch({ department, keyWords: words || undefined })}
        />
        <DepartmentPicker
          department={department}
          onChoose={(chosen) =>
            updateSearch({ department: chosen, keyWords: keyWords || undefined })
          }
        />
        {keyWords === '' ? (
          <Empty icon="search" title={m.workbench_search_begin()}>
            {m.workbench_search_begin_text()}
          </Empty>
        ) : (
          <QueryView
            query={query}
            skeleton={<Skeleton rows={3} height={120} label={m.shell_loading()} />}
            isEmpty={({ groups }) => groups.length === 0}
            empty={
              <Empty icon="search" title={m.workbench_search_none({ words: keyWords })}>
                {m.workbench_search_none_text()}
              </Empty>
            }
          >
            {({ groups }) => (
              <div className="workbench-parts">
                {groups.map(({ kind, failed, list, more }) => (
                  <Card key={kind} title={kindName(kind)}>
                    {failed ? (
                      <p className="muted" role="alert">
                        {m.workbench_part_failed()}
                      </p>
                    ) : (
                      <ul className="workbench-part-list">
                        {list.map((found) => (
                          <li key={found.id}>
                            <ResultRow result={found} department={department} />
                          </li>
                        ))}
                      </ul>
                    )}
                    {more ? <p className="muted">{m.workbench_search_more()}</p> : null}
                  </Card>
                ))}
              </div>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

function ResultRow({
  result,
  department,
}: {
  result: WorkbenchFound
  department: string | undefined
}) {
  const { timeZone } = useSystem()
  const { title, titleEn, note, noteEn, at } = result
  return (
    <HrefLink className="workbench-part-row" href={resultTarget(result, department)}>
      <span className="two-lines">
        <UserText>{inLanguage(title, titleEn)}</UserText>
      </span>
      <span className="workbench-part-facts muted num">
        <span>{inLanguage(note, noteEn)}</span>
        {at ? <time dateTime={at}>{formatDay(at, timeZone)}</time> : null}
      </span>
    </HrefLink>
  )
}

function resultTarget({ kind, id, title }: WorkbenchFound, department: string | undefined) {
  switch (kind) {
    case 'article':
    case 'announcement':
      return hrefOf('/pages/secondWork/gonggao/gonggaoSet', { id, kind })
    case 'service':
      return hrefOf('/pages/secondWork/service/serviceSet', { id })
    case 'event':
      return hrefOf('/pages/secondWork/schedule/shedulDetail', { id })
    case 'letter':
      return hrefOf('/pages/secondWork/letters', { department, keyWords: title })
  }
}

function kindName(kind: WorkbenchFound['kind']) {
  switch (kind) {
    case 'article':
      return m.workbench_kind_article()
    case 'announcement':
      return m.workbench_kind_announcement()
    case 'service':
      return m.workbench_kind_service()
    case 'event':
      return m.workbench_kind_event()
    case 'letter':
      return m.workbench_kind_letter()
  }
}
