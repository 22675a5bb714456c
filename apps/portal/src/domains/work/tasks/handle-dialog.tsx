import type { TaskAction, TaskField } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Phrases } from './phrases.tsx'

export type Filled = { comment: string; form: Record<string, string> }

type HandleDialogProps = {
  action: TaskAction
  /** Tasks it is done to, where there are several. */
  count?: number
  busy: boolean
  onClose: () => void
  onHandle: (filled: Filled) => void
}

/** What an action asks for before it is done. */
export function HandleDialog({ action, count, busy, onClose, onHandle }: HandleDialogProps) {
  const [comment, setComment] = useState('')
  const [form, setForm] = useState<Record<string, string>>({})
  const name = actionName(action)
  const isMissing = ({ name, required }: TaskField) => required && !form[name]?.trim()
  const ready =
    !action.fields.some(isMissing) && (action.comment !== 'required' || comment.trim() !== '')
  return (
    <Dialog
      open
      onClose={onClose}
      title={count === undefined ? name : m.tasks_batch_title({ action: name, count })}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.ui_cancel()}
          </Button>
          <Button
            kind={action.tone === 'danger' ? 'danger' : 'primary'}
            busy={busy}
            disabled={!ready}
            onClick={() => onHandle({ comment: comment.trim(), form: given(form) })}
          >
            {name}
          </Button>
        </>
      }
    >
      <div className="stack">
        {action.fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={form[field.name] ?? ''}
            onValue={(value) => setForm({ ...form, [field.name]: value })}
          />
        ))}
        {action.comment === 'none' ? null : (
          <>
            <TextArea
              label={action.comment === 'required' ? m.tasks_comment() : m.tasks_comment_optional()}
              value={comment}
              onValue={setComment}
              most={500}
              rows={3}
            />
            <Phrases comment={comment} onChoose={setComment} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function FormField({
  field: { kind, label, labelEn, required, choices },
  value,
  onValue,
}: {
  field: TaskField
  value: string
  onValue: (value: string) => void
}) {
  const name = inLanguage(label, labelEn)
  const shared = { label: required ? name : m.tasks_field_optional({ name }), value, onValue }
  if (kind === 'date') return <DateField {...shared} />
  if (kind === 'number') return <Field {...shared} type="number" inputMode="decimal" step="any" />
  if (kind === 'choice')
    return (
      <SelectField {...shared}>
        <option value="">{m.tasks_choose()}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {inLanguage(choice.text, choice.textEn)}
          </option>
        ))}
      </SelectField>
    )
  return <Field {...shared} maxLength={2000} />
}

const given = (form: Record<string, string>) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value.trim()))

export const actionName = ({ text, textEn }: TaskAction) => inLanguage(text, textEn)
