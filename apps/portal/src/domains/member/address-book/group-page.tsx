import './address-book.css'
import { contactGroups, maxGroupPeople } from '@atrium/contract/member/address-book'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PeopleSearchResults } from '#domains/work/people/people-search-results.tsx'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { RenameGroup, useMembership } from './own-groups.tsx'
import { PersonRow } from './person-row.tsx'

const path = '/addressBook/group'

/** One of the member's own groups: its people, and adding or removing them. */
export default function GroupPage() {
  const { id, keyWords = '' } = useSearch(path)
  const group = useQuery(q(contactGroups.read, { params: { id } }))
  const { data } = group
  const { add, leaveOut } = useMembership()
  // Optimistic: a change shows immediately and is reverted if the server refuses it.
  const [ticked, setTicked] = useState<Record<string, boolean>>({})
  const has = (accountName: string) =>
    ticked[accountName] ??
    data?.people.some((person) => person.accountName === accountName) ??
    false
  const setMember = (accountName: string, chosen: boolean) => {
    setTicked((before) => ({ ...before, [accountName]: chosen }))
    ;(chosen ? add : leaveOut).mutate(
      { params: { id, accountName } },
      { onError: () => setTicked(({ [accountName]: _, ...others }) => others) },
    )
  }
  return (
    <Page
      {...(data && { title: data.name })}
      onRefresh={() => group.refetch()}
      actions={data ? <GroupActions id={id} name={data.name} /> : undefined}
    >
      <div className="column stack">
        <QueryView
          query={group}
          skeleton={<Skeleton rows={6} height={64} label={m.shell_loading()} />}
        >
          {({ people }) => (
            <>
              <SearchForm
                label={m.address_book_group_search()}
                keyWords={keyWords}
                focus={false}
                onSearch={(words) => redirect(path, { id, keyWords: words || undefined })}
              />
              <PeopleSearchResults
                keyWords={keyWords}
                full={people.length >= maxGroupPeople}
                isChosen={has}
                onToggle={({ accountName }, chosen) => setMember(accountName, chosen)}
              />
              {people.length === 0 ? (
                <Card>
                  <Empty icon="people" title={m.address_book_group_empty()}>
                    {m.address_book_group_empty_hint()}
                  </Empty>
                </Card>
              ) : (
                <section>
                  <p className="book-count muted num">
                    {m.address_book_people({ count: formatNumber(people.length) })}
                  </p>
                  <ul className="book-people" aria-label={m.address_book_people_list()}>
                    {people.map((person) => (
                      <li key={person.accountName} className="book-member">
                        <PersonRow person={person} place />
                        <IconButton
                          label={m.address_book_group_leave_out({
                            name: inLanguage(person.name, person.nameEn),
                          })}
                          disabled={leaveOut.isPending}
                          onClick={() => setMember(person.accountName, false)}
                        >
                          <Icon name="close" />
                        </IconButton>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function GroupActions({ id, name }: { id: string; name: string }) {
  const [dialog, setDialog] = useState<'name' | 'remove'>()
  const remove = useAction(contactGroups.remove, {
    invalidates: [contactGroups.list],
    done: () => {
      toast(m.address_book_group_deleted())
      back()
    },
  })
  return (
    <>
      <IconButton label={m.address_book_group_rename()} onClick={() => setDialog('name')}>
        <Icon name="edit" />
      </IconButton>
      <IconButton label={m.address_book_group_delete()} onClick={() => setDialog('remove')}>
        <Icon name="trash" />
      </IconButton>
      <RenameGroup
        id={id}
        name={name}
        open={dialog === 'name'}
        onClose={() => setDialog(undefined)}
      />
      <Dialog
        open={dialog === 'remove'}
        onClose={() => setDialog(undefined)}
        title={m.address_book_group_delete_ask({ name })}
        actions={
          <Button
            kind="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate({ params: { id } })}
          >
            {m.address_book_group_delete()}
          </Button>
        }
      >
        {m.address_book_group_delete_text()}
      </Dialog>
    </>
  )
}
