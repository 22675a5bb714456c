import { recipientGroups } from '@atrium/contract/work/sending/recipients'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { NewList } from './list-name.tsx'
import { SearchResults } from './search-results.tsx'

const path = '/msgCenter/pages/onlineSend/userGroup'

/** The user's own lists and those shared by colleagues, with a button for a new one. */
export function Lists({ keyWords }: { keyWords: string }) {
  const lists = useQuery(q(recipientGroups.lists, { query: { ...(keyWords && { keyWords }) } }))
  const [naming, setNaming] = useState(false)
  return (
    <>
      <SearchResults
        query={lists}
        label={m.sending_lists()}
        none={m.sending_lists_none()}
        hint={keyWords ? null : m.sending_lists_none_hint()}
        rowOf={({ listId, name, members, own, sharedWith, ...one }) => ({
          entry: { listId, name },
          about: [
            m.sending_members({ count: formatNumber(members) }),
            own ? '' : m.sending_list_keeper({ name: inLanguage(one.keeper, one.keeperEn) }),
            sharedWith
              ? m.sending_list_shared({ name: inLanguage(sharedWith.name, sharedWith.nameEn) })
              : '',
          ],
          aside: (
            <Link
              className="choice-below"
              to={path}
              search={{ listId }}
              aria-label={m.sending_list_open({ name })}
            >
              <Icon name="edit" />
            </Link>
          ),
        })}
      />
      <Button kind="plain" wide onClick={() => setNaming(true)}>
        <Icon name="plus" />
        {m.sending_list_new()}
      </Button>
      <NewList
        open={naming}
        accountNames={[]}
        onClose={() => setNaming(false)}
        onMade={({ listId }) => navigate(path, { listId })}
      />
    </>
  )
}
