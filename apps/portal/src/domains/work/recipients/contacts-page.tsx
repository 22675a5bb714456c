import '#domains/work/sending/sending.css'
import './recipients.css'
import { readContact } from '@atrium/rules/chooser'
import { useState } from 'react'
import { addRecipients, type Chosen } from '#domains/work/sending/draft.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

/** External mail addresses and phone numbers, one per line or pasted from a table. */
export default function ContactsPage() {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string[]>([])
  function add() {
    const parts = text.split(/[\n,，;；\t]+/).map((part) => part.trim())
    const entries = parts.filter(Boolean).map((part) => contactOf(part) ?? part)
    addRecipients(...entries.filter((entry) => typeof entry !== 'string'))
    const unresolved = entries.filter((entry) => typeof entry === 'string')
    setWrong(unresolved)
    // Keep the entries not understood, to be corrected.
    setText(unresolved.join('\n'))
    deleteDraft('recipients.contacts')
    if (unresolved.length === 0) back()
  }
  return (
    <Page>
      <div className="column">
        <Card>
          <DraftForm
            draft={'recipients.contacts'}
            className="sending-form"
            onSubmit={(event) => {
              event.preventDefault()
              if (text.trim()) add()
            }}
          >
            <p className="muted">{m.sending_contacts_text()}</p>
            <TextArea
              label={m.sending_contacts_field()}
              value={text}
              onValue={(value) => {
                setText(value)
                setWrong([])
              }}
              rows={8}
              maxLength={20_000}
              autoCapitalize="none"
              spellCheck={false}
              {...(wrong.length > 0 && {
                error: m.sending_contacts_wrong({ count: wrong.length }),
              })}
            />
            <Button type="submit" wide disabled={!text.trim()}>
              {m.sending_contacts_add()}
            </Button>
          </DraftForm>
        </Card>
      </div>
    </Page>
  )
}

function contactOf(text: string): Chosen | undefined {
  const contact = readContact(text)
  return contact && { ...contact, name: contact.contactsNumber }
}
