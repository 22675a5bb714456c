import '#domains/content/workbench/workbench-page.css'
import { useState } from 'react'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { Split } from '#domains/content/workbench/split.tsx'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Pill } from '#ui/pill.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { type State, useServices, useTroubled } from './catalogue-queries.ts'
import { stateName } from './health-part.tsx'
import { NewService } from './new-service.tsx'
import { ServiceDetail } from './service-detail.tsx'

const path = '/pages/secondWork/service/serviceSet'
type Search = ReturnType<typeof useSearch<typeof path>>

/** The services of a department: all, active ones and those with problems. */
export default function ServiceSetPage() {
  const search = useSearch(path)
  const { department, state = 'all', keyWords = '', id, part = 'texts' } = search
  const updateSearch = (change: Partial<Search>) =>
    redirect(path, { department, state: search.state, keyWords: search.keyWords, ...change })
  const [making, setMaking] = useState(false)
  return (
    <Page wide>
      <div className="column stack">
        <Split
          list={
            <>
              <DepartmentPicker
                department={department}
                onChoose={(code) => updateSearch({ department: code })}
              />
              <SearchForm
                focus={false}
                label={m.service_catalogue_search()}
                keyWords={keyWords}
                onSearch={(words) => updateSearch({ keyWords: words || undefined, id })}
              />
              <Button kind="plain" wide onClick={() => setMaking(true)}>
                {m.service_catalogue_new()}
              </Button>
              <NewService
                key={department}
                open={making}
                department={department}
                onClose={() => setMaking(false)}
                onCreated={(made) => {
                  setMaking(false)
                  updateSearch({ id: made, part: 'texts' })
                }}
              />
              <Tabs
                variant="line"
                label={m.service_catalogue_by_state()}
                items={states().map(([value, label]) => ({ value, label }))}
                value={state}
                onChange={(next) => updateSearch({ state: next === 'all' ? undefined : next })}
              >
                {state === 'trouble' ? (
                  <Troubled search={search} />
                ) : (
                  <Services search={search} state={state} />
                )}
              </Tabs>
            </>
          }
          detail={
            id ? (
              <ServiceDetail
                key={id}
                id={id}
                part={part}
                onPart={(next) => updateSearch({ id, part: next })}
              />
            ) : null
          }
        />
      </div>
    </Page>
  )
}

const states = (): [State | 'trouble', string][] => [
  ['all', m.service_catalogue_all()],
  ['online', m.service_catalogue_online()],
  ['offline', m.service_catalogue_offline()],
  ['trouble', m.service_catalogue_trouble()],
]

const skeleton = () => <Skeleton rows={5} height={56} label={m.shell_loading()} />
/** Choosing another service beside the list replaces the history entry. */
const verbOf = ({ id }: Search) => (id ? 'redirect' : 'navigate')

function Services({ search, state }: { search: Search; state: State }) {
  const { department, keyWords = '' } = search
  const query = useServices(department, state, keyWords)
  return (
    <QueryView
      query={query}
      skeleton={skeleton()}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          <Empty
            icon="grid"
            title={
              keyWords ? m.service_catalogue_none({ words: keyWords }) : m.service_catalogue_empty()
            }
          >
            {keyWords ? m.service_catalogue_none_hint() : m.service_catalogue_empty_hint()}
          </Empty>
        </Card>
      }
    >
      {({ pages: all }) => (
        <Card>
          <ul className="workbench-set-rows">
            {all
              .flatMap(({ list }) => list)
              .map((service) => (
                <li key={service.serviceId} className="workbench-set-row">
                  <Link
                    to={path}
                    search={{ ...search, id: service.serviceId, part: search.part }}
                    verb={verbOf(search)}
                    aria-current={service.serviceId === search.id ? 'page' : undefined}
                  >
                    <span>{inLanguage(service.serviceName, service.serviceNameEn)}</span>
                    <span className="workbench-part-facts muted num">
                      <span>{service.serviceNo}</span>
                      <span>
                        {m.service_catalogue_used({ count: formatNumber(service.useCount) })}
                      </span>
                      {service.haveGuide ? <span>{m.service_catalogue_has_guide()}</span> : null}
                      {service.online ? null : (
                        <Pill tone="amber">{m.service_catalogue_offline()}</Pill>
                      )}
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
          <ListEnd query={query} />
        </Card>
      )}
    </QueryView>
  )
}

function Troubled({ search }: { search: Search }) {
  const query = useTroubled(search.department)
  return (
    <QueryView
      query={query}
      skeleton={skeleton()}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          <Empty icon="check" title={m.service_catalogue_fine()}>
            {m.service_catalogue_fine_hint()}
          </Empty>
        </Card>
      }
    >
      {({ pages: all }) => (
        <Card>
          <ul className="workbench-set-rows">
            {all
              .flatMap(({ list }) => list)
              .map(({ serviceId, serviceName, serviceNameEn, serviceNo, state, reports }) => (
                <li key={serviceId} className="workbench-set-row">
                  <Link
                    to={path}
                    search={{ ...search, id: serviceId, part: 'health' }}
                    verb={verbOf(search)}
                    aria-current={serviceId === search.id ? 'page' : undefined}
                  >
                    <span>{inLanguage(serviceName, serviceNameEn)}</span>
                    <span className="workbench-part-facts muted num">
                      <span>{serviceNo}</span>
                      <Pill tone={state === 'up' || state === 'unknown' ? 'amber' : 'orange'}>
                        {stateName(state)}
                      </Pill>
                      {reports > 0 ? <span>{m.workbench_reports({ count: reports })}</span> : null}
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
          <ListEnd query={query} />
        </Card>
      )}
    </QueryView>
  )
}
