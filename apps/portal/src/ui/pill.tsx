import './pill.css'
import type { ReactNode } from 'react'

/** A word or two of state. */
export function Pill({
  tone = 'blue',
  children,
}: {
  tone?: 'blue' | 'orange' | 'green' | 'amber'
  children: ReactNode
}) {
  return <span className={`pill tone-${tone}`}>{children}</span>
}
