import type { MessageSummary } from '@atrium/contract/work/messages'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { SelectionBar } from '#ui/selection-bar.tsx'
import { useDelete, useMarkRead } from './messages-queries.ts'

/** Limit of the server per request. */
const maxSelected = 200

type MessageSelectionProps = {
  /** the loaded part of the list */
  rows: readonly MessageSummary[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onDone: () => void
}

/** Actions for the selected messages, at the bottom of the screen. */
export function MessageSelection({ rows, selected, onSelect, onDone }: MessageSelectionProps) {
  const markRead = useMarkRead(() => {
    toast(m.messages_all_read_done({ count: selected.size }))
    onDone()
  })
  const remove = useDelete(onDone)
  const ids = [...selected]
  const all = rows.slice(0, maxSelected)
  const hasAll = all.length > 0 && all.every(({ id }) => selected.has(id))
  return (
    <SelectionBar
      label={m.messages_select()}
      count={selected.size}
      hasAll={hasAll}
      onAll={() => onSelect(new Set(hasAll ? [] : all.map(({ id }) => id)))}
    >
      <Button
        kind="plain"
        small
        disabled={ids.length === 0}
        busy={markRead.isPending}
        onClick={() => markRead.mutate({ body: { ids } })}
      >
        {m.messages_mark_read()}
      </Button>
      <Button
        kind="danger"
        small
        disabled={ids.length === 0}
        busy={remove.isPending}
        onClick={() => remove.mutate({ body: { ids } })}
      >
        {m.messages_delete()}
      </Button>
    </SelectionBar>
  )
}
