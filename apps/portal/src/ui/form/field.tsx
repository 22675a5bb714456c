import './field.css'
import { type InputHTMLAttributes, useId } from 'react'

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'onChange'> & {
  label: string
  value: string
  onValue: (value: string) => void
  /** Error message for the value. */
  error?: string
  hint?: string
}

/** A text input with its label and its error or hint. */
export function Field({ label, value, onValue, error, hint, ...input }: FieldProps) {
  const id = useId()
  const note = error || hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}note` : undefined}
        {...input}
      />
      {note ? (
        <p id={`${id}note`} className={error ? 'field-error' : 'muted'}>
          {note}
        </p>
      ) : null}
    </div>
  )
}
