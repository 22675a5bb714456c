import { sending } from '@atrium/contract/work/sending'
import { useState } from 'react'
import { addRecipients } from '#domains/work/sending/draft.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

const maxLines = 2000

/** A pasted table column of people. Lines that match nobody remain, to be corrected. */
export function PastedPeople() {
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState(0)
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter(Boolean)
  const { mutate, isPending } = useAction(sending.find, {
    done({ list, unknown: unknownLines }) {
      addRecipients(
        ...list.map(({ accountName, name, nameEn }) => ({
          accountName,
          name: inLanguage(name, nameEn),
        })),
      )
      if (list.length > 0) toast(m.sending_pasted_added({ count: list.length }))
      setText(unknownLines.join('\n'))
      deleteDraft('recipients.pasted')
      setUnknown(unknownLines.length)
    },
  })
  return (
    <Card title={m.sending_paste()}>
      <DraftForm
        draft={'recipients.pasted'}
        className="sending-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (lines.length > 0) mutate({ body: { lines: lines.slice(0, maxLines) } })
        }}
      >
        <TextArea
          label={m.sending_paste_field()}
          value={text}
          onValue={(value) => {
            setText(value)
            setUnknown(0)
          }}
          rows={4}
          maxLength={20_000}
          autoCapitalize="none"
          spellCheck={false}
          {...(unknown > 0 && { error: m.sending_paste_unknown({ count: unknown }) })}
        />
        <Button kind="plain" type="submit" busy={isPending} disabled={lines.length === 0}>
          {m.sending_contacts_add()}
        </Button>
      </DraftForm>
    </Card>
  )
}
