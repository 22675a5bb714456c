import './result-groups.css'
import type { SearchGroup, SearchKind, SearchResult } from '@atrium/contract/discovery/search'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { kinds } from './kinds.ts'
import { ResultRow } from './result-row.tsx'
import { resultsPerKind, useSearchKind } from './search-queries.ts'
import type { useOpenResult } from './use-open-result.tsx'

type Opening = ReturnType<typeof useOpenResult>

type ResultGroupsProps = { groups: readonly SearchGroup[]; keyWords: string; opening: Opening }

/** The results of each kind. A kind that was late or failed is fetched separately. */
export function ResultGroups({ groups, keyWords, opening }: ResultGroupsProps) {
  return groups.map(({ kind, list, more, state }) =>
    state === 'ready' ? (
      <Group key={kind} kind={kind} list={list} more={more} keyWords={keyWords} opening={opening} />
    ) : (
      <LateGroup key={kind} kind={kind} keyWords={keyWords} opening={opening} />
    ),
  )
}

type GroupProps = {
  kind: SearchKind
  list: readonly SearchResult[]
  more: boolean
  keyWords: string
  opening: Opening
}
function Group({ kind, list, more, keyWords, opening }: GroupProps) {
  const visible = list.slice(0, resultsPerKind)
  return (
    <Card
      flush
      title={kinds[kind].name()}
      aside={
        more || list.length > visible.length ? (
          <Link
            className="search-group-more"
            to="/pages/search/singleSearch"
            search={{ type: kind, keyWords }}
            aria-label={m.search_more_of({ kind: kinds[kind].name() })}
          >
            {m.search_more()}
          </Link>
        ) : null
      }
    >
      <ResultList list={visible} label={kinds[kind].name()} keyWords={keyWords} opening={opening} />
    </Card>
  )
}

type ResultListProps = {
  list: readonly SearchResult[]
  label: string
  keyWords: string
  opening: Opening
}
export function ResultList({ list, label, keyWords, opening }: ResultListProps) {
  return (
    <ul className="search-results" aria-label={label}>
      {list.map((result) => (
        <ResultRow
          key={`${result.kind} ${result.id}`}
          result={result}
          keyWords={keyWords}
          opening={result.serviceId !== null && opening.opening === result.serviceId}
          onOpen={() => opening.open(result)}
          onOpened={() => opening.opened(result, keyWords)}
        />
      ))}
    </ul>
  )
}

type LateGroupProps = { kind: SearchKind; keyWords: string; opening: Opening }
function LateGroup({ kind, keyWords, opening }: LateGroupProps) {
  const { data, isError, isFetching, refetch } = useSearchKind(keyWords, kind)
  const group = data?.pages[0]?.groups[0]
  if (isFetching && !group)
    return (
      <Card title={kinds[kind].name()}>
        <Skeleton rows={1} height={62} label={m.shell_loading()} />
      </Card>
    )
  if (isError || (group && group.state !== 'ready'))
    return (
      <Card title={kinds[kind].name()}>
        <div className="search-group-failed" role="status">
          <p className="muted">{m.search_kind_failed({ kind: kinds[kind].name() })}</p>
          <Button kind="plain" small busy={isFetching} onClick={() => void refetch()}>
            {m.shell_retry()}
          </Button>
        </div>
      </Card>
    )
  return group ? <Group {...group} keyWords={keyWords} opening={opening} /> : null
}
