import './button.css'
import type { ButtonHTMLAttributes } from 'react'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  kind?: 'primary' | 'plain' | 'danger'
  /** As wide as what it stands in. */
  wide?: boolean
  /** Small enough for a line of text; still as tall as a finger. */
  small?: boolean
  /** The action is under way: the button waits and says so. */
  busy?: boolean
}

export function Button({ kind = 'primary', wide, small, busy, disabled, ...rest }: ButtonProps) {
  const looks = ['button', `button-${kind}`, wide && 'button-wide', small && 'button-small'].filter(
    Boolean,
  )
  return (
    <button
      type="button"
      className={looks.join(' ')}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    />
  )
}
