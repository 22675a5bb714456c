import './order-list.css'
import { type ReactNode, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { DraggableRows, type RowProps } from './draggable-rows.tsx'
import { MoveButtons } from './move-buttons.tsx'

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
  /**
   * @param ids all of them, in their new order
   * @param movedId the one that has a new place
   */
  onOrder: (ids: string[], movedId: string) => void
}

/** A list to put in order: rows are dragged by handles or moved by buttons; the new position is announced. */
export function OrderList({ label, entries, onOrder }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    const entry = entries[from]
    if (!entry || from === to) return
    setAnnouncement(m.ui_order_moved({ name: entry.name, place: to + 1 }))
    const next = entries.filter((_, index) => index !== from)
    next.splice(to, 0, entry)
    onOrder(
      next.map(({ id }) => id),
      entry.id,
    )
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
        <MoveButtons
          name={name}
          index={index}
          count={entries.length}
          onMove={(to) => move(index, to)}
        />
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
