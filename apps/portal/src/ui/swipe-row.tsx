import './swipe-row.css'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './media/icon.tsx'

/** The most used actions. The row's menu contains all of them, for keyboard and screen reader users. */
export type SwipeAction = { icon: IconName; label: string; onSelect: () => void }

/** Pixels; a finger that moves this far is not tapping. */
const minDistance = 10
/** Width in pixels of the screen edge reserved for the browser's back and forward gestures. */
const edge = 24

let closeOther = () => {}

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
  const put = (x: number, settles: boolean) => {
    front.current?.classList.toggle('swipe-settles', settles)
    if (front.current) front.current.style.transform = x === 0 ? '' : `translateX(${x}px)`
  }
  const rest = (next: boolean) => {
    put(next ? -width() : 0, true)
    setOpen(next)
    if (!next) return
    closeOther()
    closeOther = () => rest(false)
  }
  // Touching or scrolling anything else closes it.
  useEffect(() => {
    if (!open) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && row.current?.contains(target)) return
      closeOther = () => {}
      put(0, true)
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
    const one = pull.current
    if (!one?.moved) {
      pull.current = undefined
      return
    }
    rest(at(front.current) < (one.from === 0 ? -width() / 3 : (-width() * 2) / 3))
    // A click caused by the pull fires immediately; later clicks are intended, including keyboard ones.
    setTimeout(() => {
      if (pull.current === one) pull.current = undefined
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
              closeOther()
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
          const one = pull.current
          if (!one) return
          const [dx, dy] = [clientX - one.x, clientY - one.y]
          if (!one.moved) {
            if (Math.hypot(dx, dy) < minDistance) return
            if (Math.abs(dy) > Math.abs(dx)) {
              pull.current = undefined
              return
            }
            one.moved = true
            front.current?.setPointerCapture(pointerId)
          }
          put(Math.min(0, Math.max(-width(), one.from + dx)), false)
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
          if (!wasPulled) rest(false)
        }}
      >
        {children}
      </div>
    </div>
  )
}

/** How far the row is pulled, in pixels. */
const at = (element: HTMLElement | null) =>
  element?.style.transform ? Number.parseFloat(element.style.transform.slice(11)) : 0
