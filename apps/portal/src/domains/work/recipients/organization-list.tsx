import type { Query } from '@atrium/contract/define'
import { type SendingOrganization, sending } from '@atrium/contract/work/sending'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ChoiceRow } from './choice-row.tsx'

/** Organisations below one, or matching a name; each includes all its suborganisations and links to them. */
export function OrganizationList({ query }: { query: Query<typeof sending.organizations> }) {
  const organizations = useQuery(q(sending.organizations, { query }))
  return (
    <QueryView
      query={organizations}
      skeleton={<Skeleton rows={5} height={56} label={m.shell_loading()} />}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <Card>
          <Empty icon="building" title={m.sending_organizations_none()} />
        </Card>
      }
    >
      {(found) => <Rows {...found} />}
    </QueryView>
  )
}

function Rows({ list, more }: { list: SendingOrganization[]; more: boolean }) {
  return (
    <>
      <RowList label={m.sending_organizations()}>
        {list.map((one) => {
          const name = inLanguage(one.name, one.nameEn)
          return (
            <ChoiceRow
              key={one.ins_code}
              entry={{ ins_code: one.ins_code, below: true, name }}
              about={[m.sending_members({ count: formatNumber(one.members) })]}
              aside={
                one.hasBelow ? (
                  <Link
                    className="choice-below"
                    to="/msgCenter/pages/onlineSend/chooseOrganization"
                    search={{ ins_code: one.ins_code, name }}
                    aria-label={m.sending_below({ name })}
                  >
                    <Icon name="chevron" />
                  </Link>
                ) : undefined
              }
            />
          )
        })}
      </RowList>
      {more ? <p className="muted">{m.sending_more_found()}</p> : null}
    </>
  )
}
