import './badge.css'
import { figures } from '@atrium/rules/figures'

/** How many wait; a dot without a number. */
export function Badge({ count, label }: { count?: number; label: string }) {
  const text = count ? (count > figures.badgeMax ? `${figures.badgeMax}+` : count) : null
  return (
    <span className={text === null ? 'badge badge-dot' : 'badge num'}>
      <span aria-hidden="true">{text}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
