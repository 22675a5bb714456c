import './card.css'
import type { ReactNode } from 'react'
import { userTextLang } from '#lib/language.ts'

type CardProps = {
  title?: ReactNode
  /** Shown opposite the title: a count, a link. */
  aside?: ReactNode
  /** No padding around the content, for lists. */
  flush?: boolean
  children: ReactNode
}

/** A white block with a heading. */
export function Card({ title, aside, flush, children }: CardProps) {
  return (
    <section className={flush ? 'card card-flush' : 'card'}>
      {title || aside ? (
        <div className="card-head">
          <h2
            className="card-title"
            lang={typeof title === 'string' ? userTextLang(title) : undefined}
          >
            {title}
          </h2>
          {aside ? <div className="card-aside">{aside}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  )
}
