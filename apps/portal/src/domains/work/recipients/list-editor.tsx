import { sending } from '@atrium/contract/work/sending'
import { type RecipientList, recipientGroups } from '@atrium/contract/work/sending/recipients'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { removeRecipient as unchoose } from '#domains/work/sending/draft.ts'
import { deleteDraft } from '#lib/drafts.ts'
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
import { Facts } from '#ui/facts.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { NameForm } from './list-name.tsx'

const path = '/msgCenter/pages/onlineSend/userGroup'
const invalidates = [recipientGroups.lists, recipientGroups.list]

/** A list of people: members and search; for the user's own lists also name and sharing. */
export function ListEditor({ listId }: { listId: string }) {
  const { keyWords = '' } = useSearch(path)
  const list = useQuery(q(recipientGroups.list, { params: { listId } }))
  const add = useAction(recipientGroups.addToList, { invalidates, queue: 'recipient-list' })
  const leaveOut = useAction(recipientGroups.leaveOutOfList, {
    invalidates,
    queue: 'recipient-list',
  })
  const { data } = list
  // Optimistic: a change shows immediately and is reverted if the server refuses it.
  const [ticked, setTicked] = useState<Record<string, boolean>>({})
  const setMember = (accountName: string, chosen: boolean) => {
    setTicked((before) => ({ ...before, [accountName]: chosen }))
    const onError = () => setTicked(({ [accountName]: _, ...others }) => others)
    if (chosen)
      add.mutate({ params: { listId }, body: { accountNames: [accountName] } }, { onError })
    else leaveOut.mutate({ params: { listId, accountName } }, { onError })
  }
  return (
    <Page
      {...(data && { title: data.name })}
      onRefresh={() => list.refetch()}
      actions={data?.own ? <ListActions list={data} /> : undefined}
    >
      <div className="column stack">
        <QueryView
          query={list}
          skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
        >
          {({ people, own, keeper, keeperEn, sharedWith }) => (
            <>
              <SearchForm
                label={m.sending_people_search()}
                keyWords={keyWords}
                focus={false}
                onSearch={(words) => redirect(path, { listId, keyWords: words || undefined })}
              />
              {keyWords ? (
                <PeopleToAdd
                  keyWords={keyWords}
                  isIn={(accountName) =>
                    ticked[accountName] ?? people.some((one) => one.accountName === accountName)
                  }
                  onPut={setMember}
                />
              ) : null}
              {sharedWith || !own ? (
                <p className="muted">
                  <Facts
                    of={[
                      own ? '' : m.sending_list_keeper({ name: inLanguage(keeper, keeperEn) }),
                      sharedWith
                        ? m.sending_list_shared({
                            name: inLanguage(sharedWith.name, sharedWith.nameEn),
                          })
                        : '',
                    ]}
                  />
                </p>
              ) : null}
              {people.length === 0 ? (
                <Card>
                  <Empty icon="people" title={m.sending_list_empty()}>
                    {m.sending_list_empty_hint()}
                  </Empty>
                </Card>
              ) : (
                <Card title={m.sending_members({ count: formatNumber(people.length) })} flush>
                  <ul className="chosen-list" aria-label={m.sending_list_people()}>
                    {people.map((one) => (
                      <li key={one.accountName}>
                        <span className="choice-words">
                          <span>{inLanguage(one.name, one.nameEn)}</span>
                          <span className="muted">
                            {one.accountName} · {inLanguage(one.organization, one.organizationEn)}
                          </span>
                        </span>
                        <IconButton
                          label={m.sending_leave_out({ name: inLanguage(one.name, one.nameEn) })}
                          disabled={leaveOut.isPending}
                          onClick={() => setMember(one.accountName, false)}
                        >
                          <Icon name="close" />
                        </IconButton>
                      </li>
                    ))}
                  </ul>
                </Card>
              )}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

type PeopleToAddProps = {
  keyWords: string
  isIn: (accountName: string) => boolean
  onPut: (accountName: string, chosen: boolean) => void
}

function PeopleToAdd({ keyWords, isIn, onPut }: PeopleToAddProps) {
  const people = useQuery(q(sending.people, { query: { keyWords } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={3} height={56} label={m.shell_loading()} />}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <Card>
          <Empty icon="person" title={m.sending_people_none()}>
            {m.sending_people_none_hint()}
          </Empty>
        </Card>
      }
    >
      {({ list }) => (
        <RowList label={m.sending_people_found()}>
          {list.map((one) => (
            <li key={one.accountName} className="choice-row">
              <label>
                <input
                  type="checkbox"
                  checked={isIn(one.accountName)}
                  onChange={(event) => onPut(one.accountName, event.target.checked)}
                />
                <span className="choice-words">
                  <span>{inLanguage(one.name, one.nameEn)}</span>
                  <span className="muted">
                    {one.accountName} · {inLanguage(one.organization, one.organizationEn)}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </RowList>
      )}
    </QueryView>
  )
}

function ListActions({ list }: { list: RecipientList }) {
  const { listId, name } = list
  const [dialog, setDialog] = useState<'name' | 'remove'>()
  const remove = useAction(recipientGroups.removeList, {
    invalidates: [recipientGroups.lists],
    done() {
      unchoose({ listId })
      toast(m.sending_list_deleted())
      back()
    },
  })
  return (
    <>
      <IconButton label={m.sending_list_change()} onClick={() => setDialog('name')}>
        <Icon name="edit" />
      </IconButton>
      <IconButton label={m.sending_list_delete()} onClick={() => setDialog('remove')}>
        <Icon name="trash" />
      </IconButton>
      <Dialog
        open={dialog === 'name'}
        onClose={() => setDialog(undefined)}
        title={m.sending_list_change()}
      >
        <Changed list={list} onDone={() => setDialog(undefined)} />
      </Dialog>
      <Dialog
        open={dialog === 'remove'}
        onClose={() => setDialog(undefined)}
        title={m.sending_list_delete_ask({ name })}
        actions={
          <Button
            kind="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate({ params: { listId } })}
          >
            {m.sending_list_delete()}
          </Button>
        }
      >
        {m.sending_list_delete_text()}
      </Dialog>
    </>
  )
}

function Changed({ list, onDone }: { list: RecipientList; onDone: () => void }) {
  const { listId, name, sharedWith } = list
  const { data } = useQuery(q(recipientGroups.lists, { query: {} }))
  const [place, setPlace] = useState(sharedWith?.ins_code ?? '')
  const draft = `recipients.list ${listId}`
  const { mutate, isPending } = useAction(recipientGroups.updateList, {
    invalidates,
    done() {
      deleteDraft(draft)
      onDone()
    },
  })
  return (
    <NameForm
      draft={draft}
      name={name}
      busy={isPending}
      submit={m.sending_list_save()}
      onName={(next) =>
        mutate({ params: { listId }, body: { name: next, sharedWith: place || null } })
      }
    >
      <SelectField label={m.sending_list_share()} value={place} onValue={setPlace}>
        <option value="">{m.sending_list_share_none()}</option>
        {data?.places.map((one) => (
          <option key={one.ins_code} value={one.ins_code}>
            {inLanguage(one.name, one.nameEn)}
          </option>
        ))}
      </SelectField>
      <p className="muted">{m.sending_list_share_note()}</p>
    </NameForm>
  )
}
