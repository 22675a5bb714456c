import './swipe-row.css'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './media/icon.tsx'

/** The most used actions. The row's menu contains all of them, for keyboard and screen reader users. */
export type SwipeAction = { icon: IconName; label: string; onSelect: () => void }

/** Pixels; a finger that moves this far is not tapping. */
const minDistance = 10
/** Width in pixels of the screen edge reserved for the browser's back and forward gestures. */
const edge = 24

let closeOpenRow = () => {}

/** A row that is pulled to the left to reveal actions behind it. */
export function SwipeRow({
  actions,
  children,
}: {
  actions: readonly SwipeAction[]
  children: ReactNode
}) {
  const row = useRef<HTMLDivElement>(null)
  const front = useRef<HTMLDivElement>(null)
  const behind = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const pull = useRef<{ x: number; y: number; from: number; moved: boolean }>(undefined)
  const width = () => behind.current?.offsetWidth ?? 0
  const moveTo = (x: number, animated: boolean) => {
    front.current?.classList.toggle('swipe-settles', animated)
    if (front.current) front.current.style.transform = x === 0 ? '' : `translateX(${x}px)`
  }
  const settle = (next: boolean) => {
    moveTo(next ? -width() : 0, true)
    setOpen(next)
    if (!next) return
    closeOpenRow()
    closeOpenRow = () => settle(false)
  }
  // Touching or scrolling anything else closes it.
  useEffect(() => {
    if (!open) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && row.current?.contains(target)) return
      closeOpenRow = () => {}
      moveTo(0, true)
      setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('scroll', close, true)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('scroll', close, true)
    }
  })
  if (actions.length === 0) return children
  const end = () => {
    const gesture = pull.current
    if (!gesture?.moved) {
      pull.current = undefined
      return
    }
    settle(offsetOf(front.current) < (gesture.from === 0 ? -width() / 3 : (-width() * 2) / 3))
    // A click caused by the pull fires immediately; later clicks are intended, including keyboard ones.
    setTimeout(() => {
      if (pull.current === gesture) pull.current = undefined
    })
  }
  return (
    <div className="swipe" ref={row}>
      <div className="swipe-actions" ref={behind} inert={!open}>
        {actions.map(({ icon, label, onSelect }) => (
          <button
            key={label}
            type="button"
            className="swipe-action"
            onClick={() => {
              closeOpenRow()
              onSelect()
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        ))}
      </div>
      <div
        className="swipe-front"
        ref={front}
        onPointerDown={({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
          pull.current = undefined
          if (pointerType !== 'touch' || x < edge || x > innerWidth - edge) return
          pull.current = { x, y, from: open ? -width() : 0, moved: false }
        }}
        onPointerMove={({ clientX, clientY, pointerId }: PointerEvent) => {
          const gesture = pull.current
          if (!gesture) return
          const [dx, dy] = [clientX - gesture.x, clientY - gesture.y]
          if (!gesture.moved) {
            if (Math.hypot(dx, dy) < minDistance) return
            if (Math.abs(dy) > Math.abs(dx)) {
              pull.current = undefined
              return
            }
            gesture.moved = true
            front.current?.setPointerCapture(pointerId)
          }
          moveTo(Math.min(0, Math.max(-width(), gesture.from + dx)), false)
        }}
        onPointerUp={end}
        onPointerCancel={end}
        // The click that ends a pull, or closes the row, must not open the row's link.
        onClickCapture={(event) => {
          const wasPulled = pull.current?.moved
          pull.current = undefined
          if (!wasPulled && !open) return
          event.preventDefault()
          event.stopPropagation()
          if (!wasPulled) settle(false)
        }}
      >
        {children}
      </div>
    </div>
  )
}

/** How far the row is pulled, in pixels. */
const offsetOf = (element: HTMLElement | null) =>
  element?.style.transform ? Number.parseFloat(element.style.transform.slice(11)) : 0
