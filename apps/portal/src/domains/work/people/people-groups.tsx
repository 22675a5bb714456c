import './people.css'
import { contactGroups } from '@atrium/contract/member/address-book'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '#lib/api.ts'
import { formatNumber } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** How long the content below waits for the groups, in ms. Groups that arrive later are shown below it. */
const maxWait = 1000

type Person = { accountName: string; name: string }
type PeopleGroupsProps = {
  chosen: readonly { accountName: string }[]
  /** maximum number of people */
  max: number
  onAdd: (people: Person[]) => void
  /** Rendered below, once the groups are known: they would push it down. */
  children: ReactNode
}

/**
 * The member's own contact groups; one tap adds a group. Renders no groups if there are none or the address book is
 * off.
 */
export function PeopleGroups({ chosen, max, onAdd, children }: PeopleGroupsProps) {
  const { data = [], isLoading } = useQuery(q(contactGroups.list))
  const [isLate, setIsLate] = useState(false)
  const [loadingId, setLoadingId] = useState<string>()
  const groups = data.filter(({ people }) => people > 0)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsLate(true), maxWait)
    return () => clearTimeout(timer)
  }, [isLoading])
  async function addAll(id: string) {
    setLoadingId(id)
    try {
      const { people } = await call(contactGroups.read, { params: { id } })
      const newPeople = people.filter(
        ({ accountName }) => !chosen.some((one) => one.accountName === accountName),
      )
      const remaining = Math.max(0, max - chosen.length)
      const added = newPeople.slice(0, remaining)
      if (added.length > 0)
        onAdd(
          added.map(({ accountName, name, nameEn }) => ({
            accountName,
            name: inLanguage(name, nameEn),
          })),
        )
      toast(
        added.length < newPeople.length
          ? m.people_group_full({ max: formatNumber(max) })
          : added.length > 0
            ? m.people_group_added({ count: added.length })
            : m.people_group_all_there(),
      )
    } catch (error) {
      toast((error as Error).message)
    } finally {
      setLoadingId(undefined)
    }
  }
  if (isLoading && !isLate) return null
  return (
    <>
      {isLate ? children : null}
      {groups.length > 0 ? (
        <section aria-label={m.people_groups()}>
          <h2 className="people-groups-title muted">{m.people_groups()}</h2>
          <ul className="people-groups">
            {groups.map(({ id, name, people }) => (
              <li key={id}>
                <button type="button" disabled={loadingId !== undefined} onClick={() => addAll(id)}>
                  <Icon name="people" />
                  <span lang={userTextLang(name)}>
                    {m.people_group({ name, count: formatNumber(people) })}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {isLate ? null : children}
    </>
  )
}
