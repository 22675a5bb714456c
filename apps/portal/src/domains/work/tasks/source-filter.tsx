import '#domains/work/task-groups/task-groups.css'
import { maxSources } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { useTaskSources } from './tasks-queries.ts'

type SourceFilterProps = {
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Filters to-dos by source. Renders nothing if all come from one. */
export function SourceFilter({ value, onChange }: SourceFilterProps) {
  const [open, setOpen] = useState(false)
  const sources = useTaskSources()
  // A chosen source can be removed even if it no longer has any to-dos.
  const missing = value.filter((one) => sources.every(({ source }) => source !== one))
  const shown = [...sources, ...missing.map((source) => ({ source, count: 0 }))]
  if (shown.length < 2 && value.length === 0) return null
  const toggle = (source: string) =>
    onChange(value.includes(source) ? value.filter((one) => one !== source) : [...value, source])
  return (
    <>
      <button
        type="button"
        className="select select-small task-source-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {value.length > 0 ? m.tasks_sources_chosen({ count: value.length }) : m.tasks_source()}
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={m.tasks_sources()}
        actions={
          <>
            <Button kind="plain" disabled={value.length === 0} onClick={() => onChange([])}>
              {m.tasks_sources_all()}
            </Button>
            <Button onClick={() => setOpen(false)}>{m.tasks_done()}</Button>
          </>
        }
      >
        <ul>
          {shown.map(({ source, count }) => (
            <li key={source} className="task-group">
              <label>
                <input
                  type="checkbox"
                  checked={value.includes(source)}
                  disabled={!value.includes(source) && value.length >= maxSources}
                  onChange={() => toggle(source)}
                />
                <span className="task-source-name">{source}</span>
                <span className="muted num">{count}</span>
              </label>
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  )
}
