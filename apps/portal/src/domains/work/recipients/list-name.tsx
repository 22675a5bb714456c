import { maxPeopleAtOnce, recipientGroups } from '@atrium/contract/work/sending/recipients'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { addRecipients, removeRecipient, useDraft } from '#domains/work/sending/draft.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'

const maxName = 30

type NameFormProps = {
  draft: string
  name: string
  busy: boolean
  submit: string
  children?: ReactNode
  onName: (name: string) => void
}

export function NameForm({ draft, name, busy, submit, children, onName }: NameFormProps) {
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
        label={m.sending_list_name()}
        value={text}
        onValue={(value) => {
          setMissing(false)
          setText(value)
        }}
        maxLength={maxName}
        autoComplete="off"
        {...(missing && { error: m.sending_list_needs_name() })}
      />
      {children}
      <Button type="submit" wide busy={busy}>
        {submit}
      </Button>
    </DraftForm>
  )
}

type NewListProps = {
  open: boolean
  /** initial members */
  accountNames: string[]
  onClose: () => void
  onMade: (made: { listId: string; name: string; added: number }) => void
}

export function NewList({ open, accountNames, onClose, onMade }: NewListProps) {
  const [named, setNamed] = useState('')
  const { mutate, isPending } = useAction(recipientGroups.createList, {
    invalidates: [recipientGroups.lists],
    done(made) {
      deleteDraft('recipients.list')
      onClose()
      onMade({ ...made, name: named })
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.sending_list_new()}>
      <NameForm
        draft="recipients.list"
        name=""
        busy={isPending}
        submit={m.sending_list_make()}
        onName={(name) => {
          setNamed(name)
          mutate({ body: { name, accountNames } })
        }}
      />
    </Dialog>
  )
}

/** Saves the individually chosen people as a list, for later messages. */
export function SaveAsList() {
  const { recipients } = useDraft()
  const [naming, setNaming] = useState(false)
  const people = recipients.filter((one) => 'accountName' in one)
  if (people.length < 2 || people.length > maxPeopleAtOnce) return null
  return (
    <>
      <Button kind="plain" wide onClick={() => setNaming(true)}>
        {m.sending_list_keep({ count: formatNumber(people.length) })}
      </Button>
      <NewList
        open={naming}
        accountNames={people.map(({ accountName }) => accountName)}
        onClose={() => setNaming(false)}
        onMade={({ listId, name, added }) => {
          toast(m.sending_list_kept({ count: added }))
          // People who could not be added remain chosen individually.
          if (added === people.length) {
            for (const one of people) removeRecipient(one)
            addRecipients({ listId, name })
          }
        }}
      />
    </>
  )
}
