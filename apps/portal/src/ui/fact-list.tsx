import './fact-list.css'
import type { ReactNode } from 'react'
import { userTextLang } from '#lib/language.ts'

type FactListProps = { of: readonly (readonly [name: ReactNode, value: ReactNode])[] }

/** Names at the left, their values at the right. */
export const FactList = ({ of }: FactListProps) => (
  <dl className="fact-list num">
    {of.map(([name, value], index) => (
      // They have no identity but their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <div key={index}>
        <dt>{name}</dt>
        <dd lang={typeof value === 'string' ? userTextLang(value) : undefined}>{value}</dd>
      </div>
    ))}
  </dl>
)
