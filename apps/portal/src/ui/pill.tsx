import './pill.css'
import type { ReactNode } from 'react'

/** A short status label. */
export function Pill({
  tone = 'blue',
  children,
}: {
  tone?: 'blue' | 'orange' | 'green' | 'amber'
  children: ReactNode
}) {
  return <span className={`pill tone-${tone}`}>{children}</span>
}
