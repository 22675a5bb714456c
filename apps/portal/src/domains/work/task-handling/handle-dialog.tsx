import './task-handling.css'
import type { FormSchema } from '@atrium/contract/work/applications'
import type { TaskAction, TaskField } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { FormFields } from '#domains/work/forms/form-fields.tsx'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { actionName } from './action-name.ts'
import { Phrases } from './phrases.tsx'

export type Filled = { comment: string; form: Record<string, string> }

type HandleDialogProps = {
  action: TaskAction
  /** Tasks it is done to, where there are several. */
  count?: number
  /** What was written before. */
  initial?: Filled
  busy: boolean
  /** What the server found wrong, by field. */
  issues?: Readonly<Record<string, string>>
  onClose: () => void
  onHandle: (filled: Filled) => void
}

/** What an action asks for before it is done. */
export function HandleDialog({
  action,
  count,
  initial,
  busy,
  issues = {},
  onClose,
  onHandle,
}: HandleDialogProps) {
  const [comment, setComment] = useState(initial?.comment ?? '')
  const [form, setForm] = useState<Record<string, string>>(initial?.form ?? {})
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
        {action.confirm ? <p className="muted">{m.tasks_confirm_note()}</p> : null}
        <FormFields
          schema={schemaOf(action.fields)}
          data={form}
          names={noNames}
          issues={issuesOf(issues)}
          onChange={(name, value) => setForm({ ...form, [name]: String(value ?? '') })}
          onBusy={() => {}}
        />
        {action.comment === 'none' ? null : (
          <>
            <TextArea
              label={action.comment === 'required' ? m.tasks_comment() : m.tasks_comment_optional()}
              value={comment}
              onValue={setComment}
              most={500}
              rows={3}
              {...(issues.comment && { error: issues.comment })}
            />
            <Phrases comment={comment} onChoose={setComment} />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** What an action asks for, as the form that applications are filled in by takes it. */
const schemaOf = (fields: readonly TaskField[]): FormSchema => ({
  type: 'object',
  required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  properties: Object.fromEntries(
    fields.map(({ name, kind, label, labelEn, choices }) => [
      name,
      {
        type: kind === 'number' ? 'number' : 'string',
        title: label,
        titleEn: labelEn,
        description: '',
        descriptionEn: '',
        ...((kind === 'date' || kind === 'person') && { format: kind }),
        ...(kind === 'choice' && {
          oneOf: choices.map(({ value, text, textEn }) => ({
            const: value,
            title: text,
            titleEn: textEn,
          })),
        }),
      },
    ]),
  ),
})
const issuesOf = (issues: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(issues).map(([field, issue]) => [field.replace(/^form\./, ''), issue]),
  )
const noNames = { files: new Map<string, string>(), people: new Map<string, string>() }

const given = (form: Record<string, string>) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value.trim()))
