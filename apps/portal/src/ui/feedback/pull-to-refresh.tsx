import './pull-to-refresh.css'
import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

/** Pixels to pull before it refreshes, and the furthest it can be pulled. */
const triggerDistance = figures.pullDownOffset
const maxDistance = figures.pullDownHeight

/** Pulling down at the top of the page refreshes it. Touch only; other devices have the browser's reload. */
export function PullToRefresh({
  onRefresh,
  children,
}: {
  onRefresh: () => Promise<unknown>
  children: ReactNode
}) {
  const area = useRef<HTMLDivElement>(null)
  const [pulled, setPulled] = useState(0)
  const [busy, setBusy] = useState(false)
  const refresh = useRef(onRefresh)
  useEffect(() => {
    refresh.current = onRefresh
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    let start: number | undefined
    let distance = 0
    const onTouchStart = (event: TouchEvent) => {
      start = scrollY <= 0 && event.touches.length === 1 ? event.touches[0]?.clientY : undefined
      distance = 0
    }
    const onTouchMove = (event: TouchEvent) => {
      if (start === undefined) return
      const offset = (event.touches[0]?.clientY ?? start) - start
      distance = scrollY <= 0 && offset > 0 ? Math.min(maxDistance, offset * 0.45) : 0
      setPulled(distance)
    }
    const springBack = () => {
      start = undefined
      setPulled(0)
    }
    const onTouchEnd = () => {
      springBack()
      if (distance < triggerDistance) return
      setBusy(true)
      void refresh.current().finally(() => setBusy(false))
    }
    element.addEventListener('touchstart', onTouchStart, { passive: true })
    element.addEventListener('touchmove', onTouchMove, { passive: true })
    element.addEventListener('touchend', onTouchEnd)
    element.addEventListener('touchcancel', springBack)
    return () => {
      element.removeEventListener('touchstart', onTouchStart)
      element.removeEventListener('touchmove', onTouchMove)
      element.removeEventListener('touchend', onTouchEnd)
      element.removeEventListener('touchcancel', springBack)
    }
  }, [])
  const height = busy ? triggerDistance : pulled
  return (
    <div ref={area} className="pull">
      <div className={busy ? 'pull-sign pull-busy' : 'pull-sign'} style={{ height }} role="status">
        {height > 0 ? (
          <Icon name="refresh" label={busy ? m.shell_loading() : m.shell_pull_to_refresh()} />
        ) : null}
      </div>
      {children}
    </div>
  )
}
