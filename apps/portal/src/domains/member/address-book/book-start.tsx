import { addressBook } from '@atrium/contract/member/address-book'
import { personal } from '@atrium/contract/member/personal'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { useFavourites, useGroups, useLevel } from './book-queries.ts'
import { Organizations } from './organization-level.tsx'
import { OwnGroups, useOwnGroups } from './own-groups.tsx'
import { PersonRow } from './person-row.tsx'

const path = '/addressBook/addressList'

/** Favourites, the member's groups, and the institution's top level. */
export function BookStart() {
  const top = useLevel(undefined)
  // Wait for all parts: rendering them one by one would shift the content.
  const parts = [useFavourites(), useOwnGroups(), useGroups(), useOwnLevel()]
  const isHere = parts.every(({ isLoading }) => !isLoading)
  return (
    <QueryView
      query={isHere ? top : { ...top, data: undefined, isError: false }}
      skeleton={<Skeleton rows={8} height={50} label={m.shell_loading()} />}
      isEmpty={({ list }) => list.every(({ people }) => people === 0)}
      empty={
        <Card>
          <Empty icon="people" title={m.address_book_empty()}>
            {m.address_book_empty_hint()}
          </Empty>
        </Card>
      }
    >
      {({ list }) => {
        const [only, ...others] = list
        return (
          <>
            <OwnOrganization />
            <Favourites />
            <OwnGroups />
            <Groups />
            {/* A single institution at the top does not get a level of its own. */}
            {only && others.length === 0 ? <Below only={only} /> : <Organizations list={list} />}
          </>
        )
      }}
    </QueryView>
  )
}

function Below({ only }: { only: { id: string; name: string; nameEn: string; people: number } }) {
  const level = useLevel(only.id)
  return (
    <section>
      <h2 className="book-heading">
        <span>{inLanguage(only.name, only.nameEn)}</span>
        <span className="muted num">
          {m.address_book_people({ count: formatNumber(only.people) })}
        </span>
      </h2>
      <QueryView
        query={level}
        skeleton={<Skeleton rows={8} height={50} label={m.shell_loading()} />}
      >
        {({ list, people }) => (
          <div className="stack">
            {people > 0 || list.length === 0 ? (
              <RowList>
                <LinkRow to={path} search={{ orgId: only.id }} icon="people">
                  {m.address_book_right_here()}
                </LinkRow>
              </RowList>
            ) : null}
            {list.length > 0 ? <Organizations list={list} /> : null}
          </div>
        )}
      </QueryView>
    </section>
  )
}

function useOwnLevel() {
  const me = useQuery(q(personal.me))
  const ownOrganizationId = me.data?.organizationId
  const level = useQuery({
    ...q(addressBook.organizations, { query: { parentId: ownOrganizationId ?? '' } }),
    enabled: ownOrganizationId !== undefined,
  })
  return { data: level.data, isLoading: me.isLoading || level.isLoading }
}

/** Links to the member's own organisation in the address book. */
function OwnOrganization() {
  const level = useOwnLevel()
  const place = level.data?.path[level.data.path.length - 1]
  if (!place) return null
  return (
    <RowList values="below">
      <LinkRow
        to={path}
        search={{ orgId: place.id }}
        icon="people"
        value={inLanguage(place.name, place.nameEn)}
      >
        {m.address_book_own()}
      </LinkRow>
    </RowList>
  )
}

/** Favourites shown initially; a tap shows the rest. */
const maxCollapsed = 5

function Favourites() {
  const { data } = useFavourites()
  const [all, setAll] = useState(false)
  if (!data || data.length === 0) return null
  const shown = all ? data : data.slice(0, maxCollapsed)
  return (
    <section>
      <h2 className="book-heading">{m.address_book_favourites()}</h2>
      <ul className="book-people" aria-label={m.address_book_favourites()}>
        {shown.map((person) => (
          <li key={person.accountName}>
            <PersonRow person={person} place />
          </li>
        ))}
      </ul>
      {shown.length < data.length ? (
        <button type="button" className="book-all" onClick={() => setAll(true)}>
          {m.address_book_favourites_all({ count: formatNumber(data.length) })}
        </button>
      ) : null}
    </section>
  )
}

function Groups() {
  const { data } = useGroups()
  if (!data || data.length === 0) return null
  return (
    <section>
      <h2 className="book-heading">{m.address_book_groups()}</h2>
      <RowList label={m.address_book_groups()} values="beside">
        {data.map(({ id, name, nameEn, people }) => (
          <LinkRow
            key={id}
            to={path}
            search={{ groupId: id }}
            icon="people"
            value={
              <span className="num">{m.address_book_people({ count: formatNumber(people) })}</span>
            }
          >
            {inLanguage(name, nameEn)}
          </LinkRow>
        ))}
      </RowList>
    </section>
  )
}
