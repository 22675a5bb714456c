import { type CalendarShare, maxShares, shareAccesses } from '@atrium/contract/work/calendars'
import { todos } from '@atrium/contract/work/todos'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'

type Access = CalendarShare['access']
type SharesProps = { shares: CalendarShare[]; onShares: (shares: CalendarShare[]) => void }

const shortest = 2

/** The people a calendar is shared with, and their access. */
export function Shares({ shares, onShares }: SharesProps) {
  const [words, setWords] = useState('')
  return (
    <Card title={m.calendars_shared_with()}>
      <div className="calendar-fields">
        {shares.length === 0 ? <p className="muted">{m.calendars_shared_none()}</p> : null}
        {shares.map((share) => {
          const name = inLanguage(share.name, share.nameEn)
          return (
            <div key={share.accountName} className="calendar-share">
              <SelectField
                label={name}
                value={share.access}
                onValue={(access) =>
                  onShares(
                    shares.map((other) =>
                      other === share ? { ...share, access: access as Access } : other,
                    ),
                  )
                }
              >
                {shareAccesses.map((access) => (
                  <option key={access} value={access}>
                    {accessName(access)}
                  </option>
                ))}
              </SelectField>
              <IconButton
                label={m.calendars_unshare({ name })}
                onClick={() => onShares(shares.filter((other) => other !== share))}
              >
                <Icon name="close" />
              </IconButton>
            </div>
          )
        })}
        {shares.length < maxShares ? (
          <SearchField label={m.calendars_share_search()} value={words} onValue={setWords} />
        ) : null}
        {words.trim().length >= shortest ? (
          <People
            keyWords={words.trim()}
            without={shares}
            onChoose={(share) => {
              onShares([...shares, share])
              setWords('')
            }}
          />
        ) : null}
      </div>
    </Card>
  )
}

type PeopleProps = {
  keyWords: string
  without: readonly { accountName: string }[]
  onChoose: (share: CalendarShare) => void
}

/** Search results of people, to choose one from. */
export function People({ keyWords, without, onChoose }: PeopleProps) {
  const people = useQuery(q(todos.people, { query: { keyWords } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={2} height={48} label={m.shell_loading()} />}
      isEmpty={(list) => list.length === 0}
      empty={<p className="muted">{m.calendars_people_none()}</p>}
    >
      {(list) => (
        <ul className="calendar-people" aria-label={m.calendars_people_found()}>
          {list
            .filter((one) => !without.some(({ accountName }) => accountName === one.accountName))
            .map(({ accountName, name, nameEn, organization, organizationEn }) => (
              <li key={accountName}>
                <button
                  type="button"
                  onClick={() => onChoose({ accountName, name, nameEn, access: 'read' })}
                >
                  <span>{inLanguage(name, nameEn)}</span>
                  <span className="muted">
                    {accountName} · {inLanguage(organization, organizationEn)}
                  </span>
                </button>
              </li>
            ))}
        </ul>
      )}
    </QueryView>
  )
}

export function accessName(access: Access) {
  switch (access) {
    case 'busy':
      return m.calendars_access_busy()
    case 'read':
      return m.calendars_access_read()
    case 'write':
      return m.calendars_access_write()
  }
}
