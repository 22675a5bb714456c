import './people.css'
import { todos } from '@atrium/contract/work/todos'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'

const shortest = 2

type PeopleSearchResultsProps = {
  keyWords: string
  isChosen: (accountName: string) => boolean
  /** The maximum has been chosen. */
  full?: boolean
  onToggle: (person: { accountName: string; name: string }, chosen: boolean) => void
}

/** Members found by name, with checkboxes. Renders nothing if the search term is too short. */
export function PeopleSearchResults(props: PeopleSearchResultsProps) {
  return props.keyWords.length < shortest ? null : <SearchResults {...props} />
}

function SearchResults({ keyWords, isChosen, full = false, onToggle }: PeopleSearchResultsProps) {
  const people = useQuery(q(todos.people, { query: { keyWords } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={3} height={56} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <Card>
          <Empty icon="person" title={m.people_none()} />
        </Card>
      }
    >
      {(list) => (
        <RowList label={m.people_found()}>
          {list.map(({ accountName, organization, organizationEn, ...one }) => {
            const name = inLanguage(one.name, one.nameEn)
            const chosen = isChosen(accountName)
            return (
              <li key={accountName} className="person-choice">
                <label>
                  <input
                    type="checkbox"
                    checked={chosen}
                    disabled={full && !chosen}
                    onChange={() => onToggle({ accountName, name }, !chosen)}
                  />
                  <span className="person-words">
                    <span>{name}</span>
                    <span className="muted">
                      {accountName} · {inLanguage(organization, organizationEn)}
                    </span>
                  </span>
                </label>
              </li>
            )
          })}
        </RowList>
      )}
    </QueryView>
  )
}
