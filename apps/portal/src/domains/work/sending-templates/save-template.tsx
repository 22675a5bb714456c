import type { Body } from '@atrium/contract/define'
import { sendingTemplates } from '@atrium/contract/work/sending/templates'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'

type Texts = Omit<Body<typeof sendingTemplates.create>, 'name' | 'sharedWith'>
type SaveTemplateProps = { open: boolean; texts: Texts; onClose: () => void }

/** Saves the texts as a template: under a new name, or replacing one of the user's own. */
export const SaveTemplate = ({ open, texts, onClose }: SaveTemplateProps) => (
  <Dialog open={open} onClose={onClose} title={m.sending_templates_keep()}>
    {open ? <TemplateForm texts={texts} onDone={onClose} /> : null}
  </Dialog>
)

const draft = 'sending.template'

function TemplateForm({ texts, onDone }: { texts: Texts; onDone: () => void }) {
  const { data } = useQuery(q(sendingTemplates.list, { query: {} }))
  const [name, setName] = useState('')
  const [place, setPlace] = useState('')
  const [missing, setMissing] = useState(false)
  const options = {
    invalidates: [sendingTemplates.list, sendingTemplates.read],
    done() {
      deleteDraft(draft)
      toast(m.sending_templates_kept())
      onDone()
    },
  }
  const create = useAction(sendingTemplates.create, options)
  const update = useAction(sendingTemplates.update, options)
  const same = data?.list.find((one) => one.own && one.name === name.trim())
  return (
    <DraftForm
      draft={draft}
      quiet
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(!name.trim())
        if (!name.trim()) return
        const body = { ...texts, name: name.trim(), sharedWith: place || null }
        if (same) update.mutate({ params: { templateId: same.templateId }, body })
        else create.mutate({ body })
      }}
    >
      <Field
        label={m.sending_templates_name()}
        value={name}
        onValue={(value) => {
          setMissing(false)
          setName(value)
        }}
        maxLength={60}
        autoComplete="off"
        {...(missing && { error: m.sending_templates_needs_name() })}
        {...(same && { hint: m.sending_templates_replaces() })}
      />
      <SelectField label={m.sending_templates_share()} value={place} onValue={setPlace}>
        <option value="">{m.sending_templates_share_none()}</option>
        {data?.places.map((one) => (
          <option key={one.ins_code} value={one.ins_code}>
            {inLanguage(one.name, one.nameEn)}
          </option>
        ))}
      </SelectField>
      <Button type="submit" wide busy={create.isPending || update.isPending}>
        {same ? m.sending_templates_replace() : m.sending_templates_save()}
      </Button>
    </DraftForm>
  )
}
