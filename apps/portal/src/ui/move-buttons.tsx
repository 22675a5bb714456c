import './move-buttons.css'
import { useLayoutEffect, useRef } from 'react'
import { m } from '#paraglide/messages.js'
import { IconButton } from './form/icon-button.tsx'
import { Icon } from './media/icon.tsx'

type MoveButtonsProps = {
  name: string
  /** of the row in its list, from 0 */
  index: number
  /** rows of the list */
  count: number
  onMove: (to: number) => void
}

/** Moves a row of a list up or down. The pressed button keeps the focus, so that it can be pressed again. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  const pressed = useRef<HTMLButtonElement>(null)
  // A row moved in the document loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move
  useLayoutEffect(() => {
    if (document.activeElement === document.body) pressed.current?.focus()
    pressed.current = null
  }, [index])
  const button = (icon: 'up' | 'down', label: string, to: number) => (
    <IconButton
      label={label}
      // Not `disabled`, which would lose the focus at the end of the list.
      aria-disabled={to < 0 || to >= count}
      onClick={({ currentTarget }) => {
        if (to < 0 || to >= count) return
        pressed.current = currentTarget
        onMove(to)
      }}
    >
      <Icon name={icon} />
    </IconButton>
  )
  return (
    <span className="move-buttons">
      {button('up', m.ui_order_up({ name }), index - 1)}
      {button('down', m.ui_order_down({ name }), index + 1)}
    </span>
  )
}
