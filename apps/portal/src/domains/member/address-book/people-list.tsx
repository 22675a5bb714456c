import type { Query } from '@atrium/contract/define'
import type { addressBook } from '@atrium/contract/member/address-book'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { LongList } from '#shell/page/long-list.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { usePeople } from './book-queries.ts'
import { PersonRow } from './person-row.tsx'

type PeopleListProps = {
  query: Pick<Query<typeof addressBook.people>, 'orgId' | 'groupId' | 'keyWords'>
  /** Shows the organisation of each person. */
  place?: boolean
}

/** The people of an organisation, a group or a search, paginated. */
export function PeopleList({ query, place = false }: PeopleListProps) {
  const people = usePeople(query)
  const { keyWords } = query
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={8} height={64} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          {keyWords ? (
            <Empty icon="search" title={m.address_book_found_none()}>
              {m.address_book_found_none_hint()}
            </Empty>
          ) : (
            <Empty icon="people" title={m.address_book_empty()}>
              {m.address_book_empty_hint()}
            </Empty>
          )}
        </Card>
      }
    >
      {({ pages }) => (
        <section>
          <p className="book-count muted num">
            {m.address_book_people({ count: formatNumber(pages[0]?.total ?? 0) })}
          </p>
          <LongList
            className="book-people"
            label={m.address_book_people_list()}
            query={people}
            items={pages.flatMap(({ list }) => list)}
            keyOf={({ accountName }) => accountName}
            height={64}
          >
            {(person) => <PersonRow person={person} place={place} />}
          </LongList>
        </section>
      )}
    </QueryView>
  )
}
