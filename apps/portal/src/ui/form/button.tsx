import './button.css'
import type { ButtonHTMLAttributes } from 'react'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  /** `soft`: the main one of many rows */
  kind?: 'primary' | 'soft' | 'plain' | 'danger'
  /** As wide as what it stands in. */
  wide?: boolean
  /** Small enough for a line of text; still as tall as a finger. */
  small?: boolean
  /** The action is under way: the button waits and says so, and keeps the focus. */
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
      // A form that is sent by the enter key presses its button, too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  )
}
