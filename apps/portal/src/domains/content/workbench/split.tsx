import './workbench-page.css'
import type { ReactNode } from 'react'

type SplitProps = {
  list: ReactNode
  /** What was chosen of the list; nothing: none was. */
  detail: ReactNode
}

/** A list and what was chosen of it: side by side where there is room, one at a time on a phone. */
export const Split = ({ list, detail }: SplitProps) => (
  <div className={detail ? 'workbench-split workbench-split-open' : 'workbench-split'}>
    <div className="workbench-split-list stack">{list}</div>
    {detail ? <div className="workbench-split-detail stack">{detail}</div> : null}
  </div>
)
