import { chooserKey } from '@atrium/rules/chooser'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { ChoiceRow } from './choice-row.tsx'

type SearchResultsProps<Row> = {
  query: UseQueryResult<{ list: Row[]; more: boolean }, Error>
  label: string
  none: string
  /** shown below `none`: what to do about it */
  hint?: ReactNode
  rowOf: (one: Row) => ComponentProps<typeof ChoiceRow>
}

/** Search results with checkboxes. */
export function SearchResults<Row>({ query, label, none, hint, rowOf }: SearchResultsProps<Row>) {
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={5} height={56} label={m.shell_loading()} />}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <Card>
          <Empty icon="people" title={none}>
            {hint}
          </Empty>
        </Card>
      }
    >
      {({ list, more }) => (
        <>
          <RowList label={label}>
            {list.map((one) => {
              const row = rowOf(one)
              return <ChoiceRow key={chooserKey(row.entry)} {...row} />
            })}
          </RowList>
          {more ? <p className="muted">{m.sending_more_found()}</p> : null}
        </>
      )}
    </QueryView>
  )
}
