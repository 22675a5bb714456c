import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import type { ReactNode, Ref } from 'react'
import { dragPlugins } from './dragging.ts'

type Item = { id: string }
export type RowProps = {
  items: readonly Item[]
  /** @param handle ref of the element to drag by */
  row: (item: Item, index: number, handle: Ref<HTMLSpanElement>) => ReactNode
  onMove: (from: number, to: number) => void
}

/** List rows dragged by their handles. Keyboard users have buttons. */
export function DraggableRows({ items, row, onMove }: RowProps) {
  return (
    <DragDropProvider
      plugins={dragPlugins}
      sensors={[PointerSensor]}
      onDragEnd={({ operation: { source }, canceled }) => {
        if (!canceled && isSortable(source)) onMove(source.initialIndex, source.index)
      }}
    >
      {items.map((item, index) => (
        <Row key={item.id} item={item} index={index} row={row} />
      ))}
    </DragDropProvider>
  )
}

function Row({ item, index, row }: { item: Item; index: number; row: RowProps['row'] }) {
  const { ref, handleRef, isDragging } = useSortable({ id: item.id, index })
  return (
    <li ref={ref} className={isDragging ? 'order-dragged' : undefined}>
      {row(item, index, handleRef)}
    </li>
  )
}
