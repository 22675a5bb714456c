import { sending } from '@atrium/contract/work/sending'
import { useQuery } from '@tanstack/react-query'
import { useRights } from '#domains/work/sending/sending-queries.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { RowList } from '#ui/list-row.tsx'
import { ChoiceRow } from './choice-row.tsx'
import { ChooserPage } from './chooser-page.tsx'
import { PastedPeople } from './pasted-people.tsx'

const path = '/msgCenter/pages/onlineSend/peopleSearch'

/** Searches people by name or username. */
export default function PeoplePage() {
  const { keyWords = '' } = useSearch(path)
  const rights = useRights()
  return (
    <ChooserPage>
      <SearchForm
        label={m.sending_people_search()}
        keyWords={keyWords}
        onSearch={(words) => redirect(path, { keyWords: words || undefined })}
      />
      {keyWords ? (
        <SearchResults keyWords={keyWords} />
      ) : (
        <>
          <Card>
            <Empty icon="person" title={m.sending_people_start()}>
              {rights.data?.asMember ? m.sending_people_exactly() : null}
            </Empty>
          </Card>
          {rights.data && !rights.data.asMember ? <PastedPeople /> : null}
        </>
      )}
    </ChooserPage>
  )
}

function SearchResults({ keyWords }: { keyWords: string }) {
  const people = useQuery(q(sending.people, { query: { keyWords } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={5} height={56} label={m.shell_loading()} />}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <Card>
          <Empty icon="person" title={m.sending_people_none()}>
            {m.sending_people_none_hint()}
          </Empty>
        </Card>
      }
    >
      {({ list, more }) => (
        <>
          <RowList label={m.sending_people_found()}>
            {list.map((one) => (
              <ChoiceRow
                key={one.accountName}
                entry={{
                  accountName: one.accountName,
                  name: inLanguage(one.name, one.nameEn),
                }}
                about={[
                  one.accountName,
                  inLanguage(one.organization, one.organizationEn),
                  inLanguage(one.identityType, one.identityTypeEn),
                ]}
              />
            ))}
          </RowList>
          {more ? <p className="muted">{m.sending_more_found()}</p> : null}
        </>
      )}
    </QueryView>
  )
}
