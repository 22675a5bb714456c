import './selection-bar.css'
import type { ReactNode } from 'react'
import { m } from '#paraglide/messages.js'

type SelectionBarProps = {
  label: string
  count: number
  /** Everything selectable is selected. */
  hasAll: boolean
  onAll: () => void
  /** Buttons for the possible actions. */
  children: ReactNode
}

/** Actions for several selected items, at the bottom of the screen. The number of them is announced. */
export const SelectionBar = ({ label, count, hasAll, onAll, children }: SelectionBarProps) => (
  <div className="bottom-bar" role="toolbar" aria-label={label}>
    <div className="selection">
      <label className="selection-all">
        <input type="checkbox" checked={hasAll} onChange={onAll} />
        {m.ui_select_all()}
      </label>
      <p className="selection-count muted num" role="status">
        {count > 0 ? m.ui_selected({ count }) : null}
      </p>
    </div>
    {children}
  </div>
)
