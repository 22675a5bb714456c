import './state.css'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon, type IconName } from '../media/icon.tsx'

type EmptyProps = {
  icon: IconName
  /** What would be here. */
  title: string
  /** What to do about it. */
  children?: ReactNode
  action?: ReactNode
}

/** Shown if the server's answer is empty. Announced, since a search or filter leaves the focus where it is. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  const isAnnounced = useLater()
  return (
    <div className="state">
      <Icon name={icon} />
      <p className="state-title" role="status">
        <span className={isAnnounced ? undefined : 'state-title-waits'}>{title}</span>
      </p>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  )
}

/** In ms. Screen readers announce only what appears in a status region that they have already found. */
const regionDelay = 100

/** Becomes true shortly after the first rendering. A page painted by the server is complete at once. */
function useLater() {
  const [isLater, setIsLater] = useState(typeof document === 'undefined')
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), regionDelay)
    return () => clearTimeout(timer)
  }, [])
  return isLater
}
