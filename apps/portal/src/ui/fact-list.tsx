import './fact-list.css'
import type { ReactNode } from 'react'

/** Names at the left, their values at the right. Names are unique. */
export const FactList = ({
  of,
}: {
  of: readonly (readonly [name: string, value: ReactNode])[]
}) => (
  <dl className="fact-list num">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
