import './field.css'
import { type InputHTMLAttributes, useId } from 'react'

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'onChange'> & {
  label: string
  value: string
  onValue: (value: string) => void
  /** What is wrong with the value, for a person. */
  error?: string
  hint?: string
}

/** A line to fill in, with its label, and beside it what is wrong. */
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
