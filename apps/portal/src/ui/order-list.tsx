import './order-list.css'
import { type ReactNode, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { DraggableRows, type RowProps } from './draggable-rows.tsx'
import { Icon } from './media/icon.tsx'

type Entry = {
  id: string
  /** name used by the buttons and the announcement */
  name: string
  /** shown before the name */
  mark?: ReactNode
  /** shown instead of the name */
  content?: ReactNode
}
type Props = {
  /** accessible name of the list */
  label: string
  entries: readonly Entry[]
  /** @param ids all of them, in their new order */
  onOrder: (ids: string[]) => void
}

/** A list to put in order: rows are dragged by handles or moved by buttons; the new position is announced. */
export function OrderList({ label, entries, onOrder }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    const entry = entries[from]
    if (!entry || to < 0 || to >= entries.length || from === to) return
    setAnnouncement(m.ui_order_moved({ name: entry.name, place: to + 1 }))
    const next = entries.filter((_, index) => index !== from)
    next.splice(to, 0, entry)
    onOrder(next.map(({ id }) => id))
  }
  const row: RowProps['row'] = ({ id }, index, handle) => {
    const entry = entries.find((one) => one.id === id)
    if (!entry) return null
    const { name, mark, content } = entry
    return (
      <>
        <span className="order-handle" ref={handle} aria-hidden="true">
          ⠿
        </span>
        {mark}
        <span className="order-name">{content ?? name}</span>
        <span className="order-ways">
          {(['up', 'down'] as const).map((direction) => (
            <button
              key={direction}
              type="button"
              className={`icon-button order-${direction}`}
              aria-label={direction === 'up' ? m.ui_order_up({ name }) : m.ui_order_down({ name })}
              aria-disabled={index === (direction === 'up' ? 0 : entries.length - 1)}
              onClick={() => move(index, direction === 'up' ? index - 1 : index + 1)}
            >
              <Icon name="back" />
            </button>
          ))}
        </span>
      </>
    )
  }
  return (
    <>
      <ul className="order-list" aria-label={label}>
        <DraggableRows items={entries} row={row} onMove={move} />
      </ul>
      <p className="unseen" role="status">
        {announcement}
      </p>
    </>
  )
}
