import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/** Pixels: a mouse that moves less is clicking; a finger that moves more before the hold time is scrolling. */
const minMove = 8
const longPressMs = 450
const step = 15

export type Drag = { key: string; days: number; minutes: number }
type Press = {
  key: string
  x: number
  y: number
  /** pixels per minute and per day */
  minute: number
  day: number
  isHeld: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Dragging of time table blocks: immediately with a mouse, after a hold with a finger. Snaps to quarter hours and days.
 * Users who cannot drag change the event on its own page.
 */
export function useDrag(onDrop: (key: string, days: number, minutes: number) => void) {
  const [drag, setDrag] = useState<Drag>()
  const press = useRef<Press | undefined>(undefined)
  const dragged = useRef(false)
  const release = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  // Prevents scrolling while a finger holds a block. React's listeners are passive, so this needs a native one.
  const table = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = table.current
    const preventScroll = (event: TouchEvent) => {
      if (press.current?.isHeld) event.preventDefault()
    }
    element?.addEventListener('touchmove', preventScroll, { passive: false })
    return () => element?.removeEventListener('touchmove', preventScroll)
  }, [])

  const handlersFor = (key: string, hours: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const column = event.currentTarget.parentElement
      if (event.button !== 0 || !column) return
      dragged.current = false
      const touch = event.pointerType !== 'mouse'
      const startDrag = () => {
        if (!press.current) return
        press.current.isHeld = true
        setDrag({ key, days: 0, minutes: 0 })
      }
      press.current = {
        key,
        x: event.clientX,
        y: event.clientY,
        minute: column.offsetHeight / (hours * 60),
        day: column.offsetWidth,
        isHeld: !touch,
        timer: touch ? setTimeout(startDrag, longPressMs) : undefined,
      }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = press
      if (!current) return
      const [x, y] = [event.clientX - current.x, event.clientY - current.y]
      if (Math.hypot(x, y) > minMove) {
        if (!current.isHeld) return release()
        dragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      if (dragged.current)
        setDrag({
          key,
          days: Math.round(x / current.day),
          minutes: Math.round(y / current.minute / step) * step,
        })
    },
    onPointerUp() {
      const isDragged = press.current?.isHeld && drag?.key === key
      release()
      if (isDragged && drag && (drag.days !== 0 || drag.minutes !== 0))
        onDrop(key, drag.days, drag.minutes)
      else setDrag(undefined)
    },
    onPointerCancel() {
      release()
      setDrag(undefined)
    },
    onContextMenu(event: MouseEvent) {
      if (press.current?.isHeld) event.preventDefault()
    },
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClickCapture(event: MouseEvent) {
      if (!dragged.current) return
      dragged.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  })
  return { drag, table, handlersFor, clear: () => setDrag(undefined) }
}
