import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

export type Sortable = { id: string; name: string; content: ReactNode }

type SortListProps = {
  label: string
  items: readonly Sortable[]
  /** Called when an item was moved before another one, or to the end (null). */
  onMove: (id: string, beforeId: string | null) => void
}

type Drag = { from: number; to: number; distance: number; rows: readonly DOMRect[]; y: number }

/** A sortable list: by dragging a handle, or by buttons. */
export function SortList({ label, items, onMove }: SortListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [order, setOrder] = useState(items)
  const [drag, setDrag] = useState<Drag>()
  const [announcement, setAnnouncement] = useState('')

  function move(from: number, to: number) {
    const item = order[from]
    if (!item || from === to || to < 0 || to >= order.length) return
    const next = order.filter((_, at) => at !== from)
    next.splice(to, 0, item)
    setOrder(next)
    setAnnouncement(m.favourites_moved({ name: item.name, place: to + 1, count: next.length }))
    onMove(item.id, next[to + 1]?.id ?? null)
  }
  function start(event: PointerEvent, from: number) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    setDrag({ from, to: from, distance: 0, rows, y: event.clientY + scrollY })
  }
  function follow({ clientY }: PointerEvent) {
    if (!drag) return
    // Scroll the page while dragging near the edges of the screen.
    if (clientY < 90) scrollBy(0, -14)
    else if (clientY > innerHeight - 90) scrollBy(0, 14)
    const distance = clientY + scrollY - drag.y
    setDrag({ ...drag, distance, to: targetIndex(drag, distance) })
  }
  function drop() {
    if (drag) move(drag.from, drag.to)
    setDrag(undefined)
  }
  return (
    <>
      <ul ref={list} className="sort-list" aria-label={label}>
        {order.map(({ id, name, content }, at) => (
          <li
            key={id}
            className={drag?.from === at ? 'sort-row sort-row-dragged' : 'sort-row'}
            style={drag && { transform: `translateY(${shiftOf(drag, at)}px)` }}
          >
            <span
              className="sort-handle"
              aria-hidden="true"
              onPointerDown={(event) => start(event, at)}
              onPointerMove={follow}
              onPointerUp={drop}
              onPointerCancel={() => setDrag(undefined)}
            >
              <Icon name="swap" />
            </span>
            {content}
            <IconButton
              label={m.favourites_up({ name })}
              aria-disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              <Icon name="chevron" />
            </IconButton>
            <IconButton
              label={m.favourites_down({ name })}
              aria-disabled={at === order.length - 1}
              onClick={() => move(at, at + 1)}
            >
              <Icon name="chevron" />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className="unseen" role="status">
        {announcement}
      </p>
    </>
  )
}

/** The index after dragging a row this far: past every row whose middle its own middle has passed. */
function targetIndex({ from, rows }: Drag, distance: number) {
  const dragged = rows[from]
  if (!dragged) return from
  const middle = dragged.top + dragged.height / 2 + distance
  const passed = rows.filter((row, at) => at !== from && row.top + row.height / 2 < middle)
  return passed.length
}

/** Offset for drawing a row: the dragged one follows the finger, the rows it passed move out of the way. */
function shiftOf({ from, to, distance, rows }: Drag, at: number) {
  const height = rows[from]?.height ?? 0
  if (at === from) return distance
  if (from < at && at <= to) return -height
  return to <= at && at < from ? height : 0
}
