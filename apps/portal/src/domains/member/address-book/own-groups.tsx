import { type ContactGroup, contactGroups } from '@atrium/contract/member/address-book'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatNumber } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { UserText } from '#ui/user-text.tsx'

const maxName = 30

export const useOwnGroups = () => useQuery(q(contactGroups.list))

/** The groups created by the member, and a button for a new one. */
export function OwnGroups() {
  const { data } = useOwnGroups()
  const [naming, setNaming] = useState(false)
  if (!data) return null
  return (
    <section>
      <h2 className="book-heading">{m.address_book_own_groups()}</h2>
      {data.length > 0 ? (
        <RowList label={m.address_book_own_groups()} values="beside">
          {data.map(({ id, name, people }) => (
            <LinkRow
              key={id}
              to="/addressBook/group"
              search={{ id }}
              icon="people"
              value={
                <span className="num">
                  {m.address_book_people({ count: formatNumber(people) })}
                </span>
              }
            >
              <UserText>{name}</UserText>
            </LinkRow>
          ))}
        </RowList>
      ) : null}
      <button type="button" className="book-all" onClick={() => setNaming(true)}>
        {m.address_book_group_new()}
      </button>
      <Dialog open={naming} onClose={() => setNaming(false)} title={m.address_book_group_new()}>
        <NewGroup
          onCreated={(id) => {
            setNaming(false)
            navigate('/addressBook/group', { id })
          }}
        />
      </Dialog>
    </section>
  )
}

/** Asks for the name of a new group. */
function NewGroup({ onCreated }: { onCreated: (id: string) => void }) {
  const { mutate, isPending } = useAction(contactGroups.create, {
    invalidates: [contactGroups.list],
    done: ({ id }) => {
      deleteDraft('address-book.group')
      onCreated(id)
    },
  })
  return (
    <NameForm
      draft="address-book.group"
      name=""
      busy={isPending}
      submit={m.address_book_group_make()}
      onName={(name) => mutate({ body: { name } })}
    />
  )
}

type NameFormProps = {
  draft: string
  name: string
  busy: boolean
  submit: string
  onName: (name: string) => void
}

function NameForm({ draft, name, busy, submit, onName }: NameFormProps) {
  const [text, setText] = useState(name)
  const [missing, setMissing] = useState(false)
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (text.trim()) onName(text.trim())
  }
  return (
    <DraftForm draft={draft} quiet className="stack" onSubmit={send} noValidate>
      <Field
        label={m.address_book_group_name()}
        value={text}
        onValue={(value) => {
          setMissing(false)
          setText(value)
        }}
        maxLength={maxName}
        autoComplete="off"
        {...(missing && { error: m.address_book_group_needs_name() })}
      />
      <Button type="submit" wide busy={busy}>
        {submit}
      </Button>
    </DraftForm>
  )
}

type RenameProps = { id: string; name: string; open: boolean; onClose: () => void }

export function RenameGroup({ id, name, open, onClose }: RenameProps) {
  const { mutate, isPending } = useAction(contactGroups.rename, {
    invalidates: [contactGroups.list, contactGroups.read],
    done: () => {
      deleteDraft(`address-book.group ${id}`)
      onClose()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.address_book_group_rename()}>
      <NameForm
        draft={`address-book.group ${id}`}
        name={name}
        busy={isPending}
        submit={m.address_book_group_save()}
        onName={(next) => mutate({ params: { id }, body: { name: next } })}
      />
    </Dialog>
  )
}

type InGroupsProps = { accountName: string; name: string; open: boolean; onClose: () => void }

/** The member's groups that a person is in; a tap adds or removes the person. */
export function InGroups({ accountName, name, open, onClose }: InGroupsProps) {
  const groups = useQuery({
    ...q(contactGroups.list, { query: { accountName } }),
    enabled: open,
  })
  const [naming, setNaming] = useState(false)
  return (
    <Sheet open={open} onClose={onClose} title={m.address_book_in_groups({ name })}>
      <div className="stack">
        <QueryView query={groups} skeleton={<Skeleton rows={3} label={m.shell_loading()} />}>
          {(list) => (
            <>
              {list.length > 0 ? (
                <RowList label={m.address_book_own_groups()}>
                  {list.map((group) => (
                    <Membership key={group.id} group={group} accountName={accountName} />
                  ))}
                </RowList>
              ) : null}
              {naming || list.length === 0 ? (
                <NewGroupWith accountName={accountName} onCreated={() => setNaming(false)} />
              ) : (
                <Button kind="plain" wide onClick={() => setNaming(true)}>
                  <Icon name="plus" />
                  {m.address_book_group_new()}
                </Button>
              )}
            </>
          )}
        </QueryView>
      </div>
    </Sheet>
  )
}

function NewGroupWith({ accountName, onCreated }: { accountName: string; onCreated: () => void }) {
  const { add } = useMembership()
  return (
    <NewGroup
      onCreated={(id) => {
        add.mutate({ params: { id, accountName } })
        onCreated()
      }}
    />
  )
}

function Membership({ group, accountName }: { group: ContactGroup; accountName: string }) {
  const { add, leaveOut } = useMembership()
  const { mutate, isPending } = group.holds ? leaveOut : add
  return (
    <li className="book-choice">
      <label>
        <input
          type="checkbox"
          checked={group.holds !== isPending}
          disabled={isPending}
          onChange={() => mutate({ params: { id: group.id, accountName } })}
        />
        <span>
          <UserText>{group.name}</UserText>
        </span>
        <span className="muted num">
          {m.address_book_people({ count: formatNumber(group.people) })}
        </span>
      </label>
    </li>
  )
}

/** Adds a person to a group and removes them. */
export function useMembership() {
  const invalidates = [contactGroups.list, contactGroups.read]
  const queue = 'address-book-groups'
  return {
    add: useAction(contactGroups.add, {
      invalidates,
      queue,
      done: () => toast(m.address_book_group_added()),
    }),
    leaveOut: useAction(contactGroups.leaveOut, {
      invalidates,
      queue,
      done: () => toast(m.address_book_group_left_out()),
    }),
  }
}
