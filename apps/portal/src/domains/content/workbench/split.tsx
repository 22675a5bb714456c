import './workbench-page.css'
import type { ReactNode } from 'react'

type SplitProps = {
  list: ReactNode
  /** The chosen item of the list; empty if none is chosen. */
  detail: ReactNode
}

/** A list and its chosen item: side by side on wide screens, one at a time on a phone. */
export const Split = ({ list, detail }: SplitProps) => (
  <div className={detail ? 'workbench-split workbench-split-open' : 'workbench-split'}>
    <div className="workbench-split-list stack">{list}</div>
    {detail ? <div className="workbench-split-detail stack">{detail}</div> : null}
  </div>
)
