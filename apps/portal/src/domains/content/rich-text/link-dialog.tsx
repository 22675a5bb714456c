import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'

/** The address with its scheme, if it is a valid link of an allowed scheme. */
export function completeAddress(input: string): string | undefined {
  const text = input.trim()
  const full = /^[a-z][a-z+.-]*:/i.test(text)
    ? text
    : /^[^\s@]+@[^\s@]+\.\w+$/.test(text)
      ? `mailto:${text}`
      : `https://${text}`
  if (!text || !URL.canParse(full)) return undefined
  return /^(https?|mailto|tel):/i.test(full) ? full : undefined
}

/** Asks for the address of the selected text, or for a text and an address. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const currentHref = String(editor.getAttributes('link').href ?? '')
  const [address, setAddress] = useState(currentHref)
  const [words, setWords] = useState('')
  const [issue, setIssue] = useState('')
  const hasNoText = editor.state.selection.empty && !currentHref
  const applyLink = () => {
    const href = completeAddress(address)
    if (!href) return setIssue(m.rich_text_link_issue())
    const chain = editor.chain().focus()
    if (hasNoText)
      chain
        .insertContent({
          type: 'text',
          text: words.trim() || address.trim(),
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run()
    else chain.extendMarkRange('link').setLink({ href }).run()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.rich_text_link()}
      actions={
        <>
          {currentHref ? (
            <Button
              kind="danger"
              onClick={() => {
                editor.chain().focus().extendMarkRange('link').unsetLink().run()
                onClose()
              }}
            >
              {m.rich_text_link_remove()}
            </Button>
          ) : null}
          <Button onClick={applyLink}>{m.rich_text_insert()}</Button>
        </>
      }
    >
      <div className="rich-text-fields">
        {hasNoText ? (
          <Field
            label={m.rich_text_link_words()}
            value={words}
            onValue={setWords}
            maxLength={200}
          />
        ) : null}
        <Field
          label={m.rich_text_link_address()}
          value={address}
          onValue={setAddress}
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={2000}
          error={issue}
        />
      </div>
    </Dialog>
  )
}
