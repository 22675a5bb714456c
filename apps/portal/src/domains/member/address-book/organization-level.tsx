import type { BookOrganization } from '@atrium/contract/member/address-book'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { useLevel } from './book-queries.ts'
import { PeopleList } from './people-list.tsx'

const path = '/addressBook/addressList'

/** An organisation: its suborganisations, and the people directly in it. */
export function OrganizationLevel({ orgId }: { orgId: string }) {
  const level = useLevel(orgId)
  return (
    <QueryView
      query={level}
      skeleton={<Skeleton rows={6} height={50} label={m.shell_loading()} />}
      isEmpty={({ list, people }) => list.length === 0 && people === 0}
      empty={
        <Card>
          <Empty icon="people" title={m.address_book_empty()}>
            {m.address_book_empty_hint()}
          </Empty>
        </Card>
      }
    >
      {({ list, people, path: above }) => (
        <>
          <UnitPath units={above} />
          {list.length > 0 ? <Organizations list={list} /> : null}
          {people > 0 ? <PeopleList query={{ orgId }} /> : null}
        </>
      )}
    </QueryView>
  )
}

type PathUnit = { id: string; name: string; nameEn: string }

/** Breadcrumbs: the path from the top; each level above is a link. */
function UnitPath({ units }: { units: readonly PathUnit[] }) {
  if (units.length < 2) return null
  return (
    <nav className="book-path" aria-label={m.address_book_path()}>
      <ol>
        {units.map(({ id, ...one }, at) => (
          <li key={id}>
            {at < units.length - 1 ? (
              <Link to={path} search={{ orgId: id }}>
                {inLanguage(one.name, one.nameEn)}
              </Link>
            ) : (
              <span aria-current="page">{inLanguage(one.name, one.nameEn)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

export const Organizations = ({ list }: { list: readonly BookOrganization[] }) => (
  <RowList label={m.address_book_organizations()} values="beside">
    {list.map(({ id, name, nameEn, people }) => (
      <LinkRow
        key={id}
        to={path}
        search={{ orgId: id }}
        icon="building"
        value={<PeopleCount people={people} />}
      >
        {inLanguage(name, nameEn)}
      </LinkRow>
    ))}
  </RowList>
)

/** The heading above the list names the unit. */
const PeopleCount = ({ people }: { people: number }) => (
  <>
    <span className="num" aria-hidden="true">
      {formatNumber(people)}
    </span>
    <span className="unseen">{m.address_book_people({ count: formatNumber(people) })}</span>
  </>
)
