import './button.css'
import type { ButtonHTMLAttributes } from 'react'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  /** `soft`: the main action of a row in a list */
  kind?: 'primary' | 'soft' | 'plain' | 'danger'
  /** Full width of its container. */
  wide?: boolean
  /** Smaller text; the touch target stays full height. */
  small?: boolean
  /** The action is running: the button is inactive, is announced as busy and keeps the focus. */
  busy?: boolean
}

export function Button({ kind = 'primary', wide, small, busy, onClick, ...rest }: ButtonProps) {
  const looks = ['button', `button-${kind}`, wide && 'button-wide', small && 'button-small'].filter(
    Boolean,
  )
  return (
    <button
      type="button"
      className={looks.join(' ')}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      // Submitting a form with the Enter key also clicks its button.
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  )
}
