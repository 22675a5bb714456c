import './feedback.css'
import './inbox.css'
import '#domains/content/workbench/workbench-page.css'
import { feedbackConsole, type ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { download } from '#lib/download.ts'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { pages, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Tabs } from '#ui/tabs.tsx'

const path = '/pages/secondWork/feedback'
const states = ['waiting', 'handling', 'answered', 'closed'] as const
type State = (typeof states)[number]
type Filter = {
  department?: string | undefined
  kindId?: string | undefined
  serviceId?: string | undefined
  keyWords?: string | undefined
}

/** Feedback for the user's departments, by state. */
export default function InboxPage() {
  const { state = 'waiting', ...filter } = useSearch(path)
  const query = filterQuery(filter)
  const counts = useQuery(q(feedbackConsole.counts, { query }))
  const updateSearch = (change: Filter & { state?: State }) =>
    redirect(path, { state, ...filter, ...change })
  return (
    <Page onRefresh={() => counts.refetch()}>
      <div className="column stack">
        <Filters filter={filter} services={counts.data?.services ?? []} onChange={updateSearch} />
        {/* Hidden until the counts have loaded: they are shown above and would shift it. */}
        <div hidden={counts.isPending}>
          <div className="stack">
            {counts.data ? <Satisfaction {...counts.data} /> : null}
            <Tabs
              variant="line"
              label={m.feedback_by_state()}
              items={states.map((value) => ({
                value,
                label: <Counted state={value} count={counts.data?.[value]} />,
              }))}
              value={state}
              onChange={(next) => updateSearch({ state: next })}
            >
              <Inbox state={state} filter={filter} />
            </Tabs>
            <RowList>
              <LinkRow to="/pages/secondWork/feedback/kinds" icon="gear">
                {m.feedback_kinds_title()}
              </LinkRow>
            </RowList>
          </div>
        </div>
      </div>
    </Page>
  )
}

/** The address's filters as query parameters; unset ones are omitted. */
const filterQuery = ({ department, kindId, serviceId, keyWords }: Filter) => ({
  ...inDepartment(department),
  ...(kindId && { kindId }),
  ...(serviceId && { serviceId }),
  ...(keyWords && { keyWords }),
})

const stateNames = {
  waiting: m.feedback_waiting,
  handling: m.feedback_handling,
  answered: m.feedback_answered,
  closed: m.feedback_closed,
} as const

const Counted = ({ state, count }: { state: State; count: number | undefined }) => (
  <>
    {stateNames[state]()}
    {count === undefined ? null : <span className="num"> {formatNumber(count)}</span>}
  </>
)

type FiltersProps = {
  filter: Filter
  services: readonly { id: string; name: string; nameEn: string }[]
  onChange: (change: Filter) => void
}

function Filters({ filter, services, onChange }: FiltersProps) {
  const kinds = useQuery(q(feedbackConsole.kinds))
  const { department, kindId = '', serviceId = '', keyWords = '' } = filter
  return (
    <>
      <SearchForm
        focus={false}
        label={m.feedback_inbox_search()}
        keyWords={keyWords}
        onSearch={(words) => onChange({ keyWords: words || undefined })}
      />
      <div className="feedback-filters">
        <DepartmentPicker
          department={department}
          onChoose={(code) => onChange({ department: code, serviceId: undefined })}
        />
        <SelectField
          label={m.feedback_kind()}
          value={kindId}
          onValue={(value) => onChange({ kindId: value || undefined })}
        >
          <option value="">{m.feedback_every_kind()}</option>
          {kinds.data?.map(({ id, name, nameEn }) => (
            <option key={id} value={id}>
              {inLanguage(name, nameEn)}
            </option>
          ))}
        </SelectField>
        {services.length > 0 || serviceId ? (
          <SelectField
            label={m.feedback_service()}
            value={serviceId}
            onValue={(value) => onChange({ serviceId: value || undefined })}
          >
            <option value="">{m.feedback_every_service()}</option>
            {services.map(({ id, name, nameEn }) => (
              <option key={id} value={id}>
                {inLanguage(name, nameEn)}
              </option>
            ))}
          </SelectField>
        ) : null}
      </div>
    </>
  )
}

function Satisfaction({ rated, score }: { rated: number; score: number | null }) {
  if (score === null) return <p className="muted">{m.feedback_unrated()}</p>
  return (
    <p className="muted num">
      {m.feedback_satisfaction({ score: score.toFixed(1), count: rated })}
    </p>
  )
}

function Inbox({ state, filter }: { state: State; filter: Filter }) {
  const query = { state, ...filterQuery(filter) }
  const inbox = useInfiniteQuery(pages(feedbackConsole.list, { query }))
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(feedbackConsole.export, { body: query }, `feedback-${state}.csv`),
    onError: (error) => toast(error.message),
  })
  return (
    <QueryView
      query={inbox}
      skeleton={<Skeleton rows={4} height={96} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          <Empty
            icon="chat"
            title={
              filter.keyWords
                ? m.feedback_inbox_none({ words: filter.keyWords })
                : m.feedback_inbox_empty()
            }
          >
            {m.feedback_inbox_empty_hint()}
          </Empty>
        </Card>
      }
    >
      {({ pages: all }) => (
        <div className="stack">
          <LongList
            className="feedback-records"
            label={m.feedback_inbox_title()}
            query={inbox}
            items={all.flatMap(({ list }) => list)}
            keyOf={({ id }) => id}
            height={96}
          >
            {(one) => <Row feedback={one} />}
          </LongList>
          <Button kind="plain" busy={isPending} onClick={() => mutate()}>
            {m.feedback_export()}
          </Button>
        </div>
      )}
    </QueryView>
  )
}

function Row({ feedback }: { feedback: ReceivedFeedback }) {
  const { timeZone } = useSystem()
  return (
    <Link to="/pages/secondWork/feedback/detail" search={{ id: feedback.id }}>
      <span className="two-lines" lang={userTextLang(feedback.content)}>
        {feedback.content}
      </span>
      <span className="feedback-facts muted num">
        <span>
          {inLanguage(
            feedback.serviceName || feedback.kindName,
            feedback.serviceNameEn || feedback.kindNameEn,
          ) || m.feedback_no_kind()}
        </span>
        <span>
          {inLanguage(feedback.department, feedback.departmentEn) || m.feedback_institution()}
        </span>
        <time dateTime={feedback.createdAt}>{formatDayAndTime(feedback.createdAt, timeZone)}</time>
        {feedback.photoCount > 0 ? (
          <span>{m.feedback_photo_count({ count: feedback.photoCount })}</span>
        ) : null}
        {feedback.duplicates > 0 ? (
          <span>{m.feedback_same_count({ count: feedback.duplicates })}</span>
        ) : null}
        {feedback.score === null ? null : (
          <span>{m.feedback_scored({ score: feedback.score })}</span>
        )}
      </span>
    </Link>
  )
}
