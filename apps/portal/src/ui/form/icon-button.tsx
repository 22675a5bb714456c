import './icon-button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'className'> & {
  /** Accessible name and tooltip. */
  label: string
  children: ReactNode
}

/** An icon as a button, with a full-size touch target. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
      {children}
    </button>
  )
}
