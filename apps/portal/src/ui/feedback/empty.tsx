import './state.css'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../media/icon.tsx'

type EmptyProps = {
  icon: IconName
  /** What would be here. */
  title: string
  /** What to do about it. */
  children?: ReactNode
  action?: ReactNode
}

/** Shown if the server's answer is empty. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="state">
      <Icon name={icon} />
      <p className="state-title">{title}</p>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  )
}
