import './code-field.css'
import { figures } from '@atrium/rules/figures'
import { isCode, normalizeInput } from '@atrium/rules/validators'
import { useId } from 'react'
import { m } from '#paraglide/messages.js'

type CodeFieldProps = {
  value: string
  onValue: (value: string) => void
  /** Called when all digits are entered. */
  onComplete?: (code: string) => void
  length?: number
  /** For digits that are not a message code. */
  label?: string
  /** Error message for the code. */
  error?: string
}

/**
 * The digits of a message code, one box each. It is a single input, so that phones can autofill it and a code can be
 * pasted.
 */
export function CodeField({
  value,
  onValue,
  onComplete,
  length = figures.codeLength,
  label = m.ui_code(),
  error,
}: CodeFieldProps) {
  const id = useId()
  const read = (text: string) => {
    const code = normalizeInput(text).replace(/\D/g, '').slice(0, length)
    onValue(code)
    if (isCode(code, length) && code !== value) onComplete?.(code)
  }
  return (
    <div className="code-field">
      <label htmlFor={id}>{label}</label>
      <div className="code-field-boxes">
        <input
          id={id}
          className="num"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          value={value}
          onChange={(event) => read(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}error` : undefined}
        />
        {Array.from({ length }, (_, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes are told apart by their place alone
            key={index}
            className={index === Math.min(value.length, length - 1) ? 'code-box-next' : undefined}
            aria-hidden="true"
          >
            {value[index]}
          </span>
        ))}
      </div>
      {error ? (
        <p id={`${id}error`} className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}
