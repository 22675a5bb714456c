import './icon-button.css'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'className'> & {
  /** Said by screen readers and shown as a tip. */
  label: string
  children: ReactNode
}

/** A drawing to press, as large as a finger. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
      {children}
    </button>
  )
}
