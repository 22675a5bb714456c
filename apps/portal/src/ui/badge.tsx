import './badge.css'
import { figures } from '@atrium/rules/figures'

/** A count or a short word; a dot without either. */
export function Badge({
  count,
  text: word,
  label,
}: {
  count?: number
  text?: string
  label: string
}) {
  const text = count ? (count > figures.badgeMax ? `${figures.badgeMax}+` : count) : word || null
  return (
    <span className={text === null ? 'badge badge-dot' : 'badge num'}>
      <span aria-hidden="true">{text}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
