import './task-handling.css'
import { files as uploads } from '@atrium/contract/content/files'
import type { FormProperty, FormSchema } from '@atrium/contract/work/applications'
import { maxFiles, type TaskAction, type TaskField } from '@atrium/contract/work/tasks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormFields } from '#domains/work/forms/form-fields.tsx'
import { useDraftState } from '#lib/drafts.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { actionName } from './action-name.ts'
import { Phrases } from './phrases.tsx'

export type Filled = {
  comment: string
  form: Record<string, string>
  /** file ids by field */
  files: Record<string, string[]>
}

type HandleDialogProps = {
  action: TaskAction
  /** Number of tasks, if there are several. */
  count?: number
  /** Input from an earlier attempt. */
  initial?: Filled
  /** Name of the draft. */
  draft: string
  busy: boolean
  /** The server's error messages by field. */
  issues?: Readonly<Record<string, string>>
  onClose: () => void
  onHandle: (filled: Filled) => void
}

/** Asks for the input an action needs. */
export function HandleDialog({
  action,
  count,
  initial,
  draft,
  busy,
  issues = {},
  onClose,
  onHandle,
}: HandleDialogProps) {
  const [comment, setComment] = useState(initial?.comment ?? '')
  const [form, setForm] = useDraftState<Record<string, string>>(
    `${draft}#form`,
    initial?.form ?? {},
  )
  const [files, setFiles] = useState<Record<string, string[]>>(initial?.files ?? {})
  const [sending, setSending] = useState(false)
  const names = useFileNames(initial?.files)
  const name = actionName(action)
  const isMissing = ({ name, kind, required }: TaskField) =>
    required && (kind === 'files' ? !files[name]?.length : !form[name]?.trim())
  const ready =
    !sending &&
    !action.fields.some(isMissing) &&
    (action.comment !== 'required' || comment.trim() !== '')
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
            onClick={() => onHandle({ comment: comment.trim(), form: given(form), files })}
          >
            {name}
          </Button>
        </>
      }
    >
      <DraftFields draft={draft} className="stack">
        {action.confirm ? <p className="muted">{m.tasks_confirm_note()}</p> : null}
        <FormFields
          schema={schemaOf(action.fields)}
          data={{ ...form, ...files }}
          names={names}
          issues={issuesOf(issues)}
          onChange={(name, value) =>
            action.fields.some((field) => field.name === name && field.kind === 'files')
              ? setFiles((before) => withFiles(before, name, value))
              : setForm({ ...form, [name]: String(value ?? '') })
          }
          onBusy={setSending}
        />
        {action.comment === 'none' ? null : (
          <>
            <TextArea
              label={action.comment === 'required' ? m.tasks_comment() : m.tasks_comment_optional()}
              value={comment}
              onValue={setComment}
              maxLength={500}
              rows={3}
              {...(issues.comment && { error: issues.comment })}
            />
            <Phrases comment={comment} onChoose={setComment} />
          </>
        )}
      </DraftFields>
    </Dialog>
  )
}

function withFiles(before: Record<string, string[]>, name: string, value: unknown) {
  const { [name]: _, ...others } = before
  return Array.isArray(value) ? { ...others, [name]: value.map(String) } : others
}

/** Names of files attached in an earlier attempt. */
function useFileNames(initial: Record<string, string[]> = {}) {
  const enabled = Object.keys(initial).length > 0
  const { data } = useQuery({ ...q(uploads.mine, { query: {} }), enabled })
  return {
    files: new Map(data?.list.map(({ id, name }) => [id, name])),
    people: new Map<string, string>(),
  }
}

/** An action's fields in the format of application forms. */
const schemaOf = (fields: readonly TaskField[]): FormSchema => ({
  type: 'object',
  required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
})

function propertyOf({ kind, label, labelEn, choices, most, accept }: TaskField): FormProperty {
  const property = { title: label, titleEn: labelEn, description: '', descriptionEn: '' }
  if (kind === 'files') {
    const types = accept?.map((ending) => ending.toUpperCase()).join(', ')
    const hint = types ? m.tasks_files_types({ types }) : ''
    return {
      ...property,
      type: 'array',
      items: { type: 'string', format: 'file' },
      maxItems: most ?? maxFiles,
      description: hint,
      descriptionEn: hint,
    }
  }
  return {
    ...property,
    type: kind === 'number' ? 'number' : 'string',
    ...((kind === 'date' || kind === 'person') && { format: kind }),
    ...(kind === 'choice' && {
      oneOf: choices.map(({ value, text, textEn }) => ({
        const: value,
        title: text,
        titleEn: textEn,
      })),
    }),
  }
}

const issuesOf = (issues: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(issues).map(([field, issue]) => [field.replace(/^form\./, ''), issue]),
  )

const given = (form: Record<string, string>) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value.trim()))
