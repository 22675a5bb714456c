import './field.css'
import './text-area.css'
import { figures } from '@atrium/rules/figures'
import { type TextareaHTMLAttributes, useId } from 'react'
import { m } from '#paraglide/messages.js'

type TextAreaProps = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  'className' | 'id' | 'onChange' | 'maxLength'
> & {
  label: string
  value: string
  onValue: (value: string) => void
  maxLength?: number
  /** Error message for the value. */
  error?: string
  /** What to enter; hidden while there is an error. */
  hint?: string
}

/** A multi-line input with a character count. */
export function TextArea({
  label,
  value,
  onValue,
  maxLength = figures.textareaMaxLength,
  error,
  hint,
  ...input
}: TextAreaProps) {
  const id = useId()
  const note = error || hint
  const full = value.length >= maxLength
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        maxLength={maxLength}
        onChange={(event) => onValue(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}count${note ? ` ${id}note` : ''}`}
        {...input}
      />
      <div className="text-area-notes">
        {note ? (
          <p id={`${id}note`} className={error ? 'field-error' : 'muted'}>
            {note}
          </p>
        ) : null}
        <p id={`${id}count`} className="text-area-count muted num">
          <span aria-hidden="true">
            {value.length}/{maxLength}
          </span>
          <span className="unseen">{m.ui_characters({ count: value.length, max: maxLength })}</span>
        </p>
      </div>
      <span className="unseen" role="status">
        {full ? m.ui_characters_full({ max: maxLength }) : ''}
      </span>
    </div>
  )
}
