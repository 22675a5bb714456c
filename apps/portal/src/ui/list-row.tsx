import './list-row.css'
import type { ReactNode } from 'react'
import { userTextLang } from '#lib/language.ts'
import { Icon, type IconName } from './media/icon.tsx'

type RowContentProps = {
  icon?: IconName
  /** The current value of the setting, or a count. */
  value?: ReactNode
  /** Shows a chevron: the row leads to another screen. */
  leads?: boolean
  children: ReactNode
}

type RowListProps = {
  label?: string
  /**
   * Where the values of all rows are: `beside` in a column at the end (counts, times), `below` under the beginning of
   * the text (addresses, descriptions). Otherwise each row places its own: beside the text if both fit on one line.
   */
  values?: 'beside' | 'below'
  children: ReactNode
}

/** A list of rows on a white card. Holds `li` elements. */
export function RowList({ label, values, children }: RowListProps) {
  return (
    <ul className={values ? `row-list row-list-${values}` : 'row-list'} aria-label={label}>
      {children}
    </ul>
  )
}

/** The content of a row; the row itself is a link or a button of class `list-row`. */
export function RowContent({ icon, value, leads, children }: RowContentProps) {
  return (
    <>
      {icon ? <Icon name={icon} /> : null}
      <span className="list-row-words">
        <span
          className="list-row-text"
          lang={typeof children === 'string' ? userTextLang(children) : undefined}
        >
          {children}
        </span>
        {value ? (
          <span
            className="list-row-value"
            lang={typeof value === 'string' ? userTextLang(value) : undefined}
          >
            {value}
          </span>
        ) : null}
      </span>
      {leads ? <Icon name="chevron" /> : null}
    </>
  )
}
