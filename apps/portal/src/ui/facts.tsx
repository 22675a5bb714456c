import './facts.css'
import type { ReactNode } from 'react'
import { userTextLang } from '#lib/language.ts'

/**
 * Facts with dots between them: names and dates stay whole, and no line begins or ends with a dot. Empty facts are left
 * out.
 */
export function Facts({ of }: { of: readonly ReactNode[] }) {
  return (
    <span className="facts">
      {of.filter(Boolean).map((fact, index) => (
        // They have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index} lang={typeof fact === 'string' ? userTextLang(fact) : undefined}>
          {index > 0 ? <span className="facts-dot"> · </span> : null}
          {fact}
        </span>
      ))}
    </span>
  )
}
