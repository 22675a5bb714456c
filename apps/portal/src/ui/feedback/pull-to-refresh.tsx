import './pull-to-refresh.css'
import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

/** Pixels to pull before it refreshes, and the furthest it can be pulled. */
const trigger = figures.pullDownOffset
const farthest = figures.pullDownHeight

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
    const begin = (event: TouchEvent) => {
      start = scrollY <= 0 && event.touches.length === 1 ? event.touches[0]?.clientY : undefined
      distance = 0
    }
    const move = (event: TouchEvent) => {
      if (start === undefined) return
      const way = (event.touches[0]?.clientY ?? start) - start
      distance = scrollY <= 0 && way > 0 ? Math.min(farthest, way * 0.45) : 0
      setPulled(distance)
    }
    const springBack = () => {
      start = undefined
      setPulled(0)
    }
    const end = () => {
      springBack()
      if (distance < trigger) return
      setBusy(true)
      void refresh.current().finally(() => setBusy(false))
    }
    element.addEventListener('touchstart', begin, { passive: true })
    element.addEventListener('touchmove', move, { passive: true })
    element.addEventListener('touchend', end)
    element.addEventListener('touchcancel', springBack)
    return () => {
      element.removeEventListener('touchstart', begin)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', end)
      element.removeEventListener('touchcancel', springBack)
    }
  }, [])
  const height = busy ? trigger : pulled
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
