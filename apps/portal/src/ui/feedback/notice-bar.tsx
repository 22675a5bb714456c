import './notice-bar.css'
import '../form/icon-button.css'
import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { IconButton } from '../form/icon-button.tsx'
import { Icon } from '../media/icon.tsx'

type NoticeBarProps = {
  label: string
  items: readonly { id: string; text: ReactNode }[]
  onOpen: (id: string) => void
}

/** Notices scrolling past in one line, with a pause button. */
export function NoticeBar({ label, items, onOpen }: NoticeBarProps) {
  const [paused, setPaused] = useState(false)
  const { track, moves } = useScrolling(paused, items.map(({ id }) => id).join(' '))
  return (
    <section className="notice-bar" aria-label={label}>
      <Icon name="speaker" />
      <div className="notice-window">
        <ul ref={track} style={{ fontSize: `${figures.noticeBarFontSize / 16}rem` }}>
          {items.map(({ id, text }) => (
            <li key={id}>
              <button type="button" onClick={() => onOpen(id)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {moves ? (
        <IconButton
          label={paused ? m.ui_notices_play() : m.ui_notices_pause()}
          onClick={() => setPaused(!paused)}
        >
          <Icon name={paused ? 'play' : 'pause'} />
        </IconButton>
      ) : null}
    </section>
  )
}

/**
 * Scrolls the line if it is wider than its window. The button, hovering and keyboard focus pause it; with reduced
 * motion, users scroll the line themselves.
 */
function useScrolling(paused: boolean, items: string) {
  const track = useRef<HTMLUListElement>(null)
  const running = useRef<Animation>(undefined)
  const stopped = useRef(paused)
  const [moves, setMoves] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines have another length
  useEffect(() => {
    const list = track.current
    const frame = list?.parentElement
    if (!list || !frame) return
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    /** Animation time in ms at which this pixel of the line is at the left edge. */
    const timeOf = (offset: number) =>
      ((frame.clientWidth + offset) / figures.noticeBarSpeed) * 1000
    const start = () => {
      running.current?.cancel()
      running.current = undefined
      const [length, frameWidth] = [list.scrollWidth, frame.clientWidth]
      setMoves(length > frameWidth && !reducedMotion.matches)
      if (length <= frameWidth || reducedMotion.matches) return
      running.current = list.animate(
        { transform: [`translateX(${frameWidth}px)`, `translateX(-${length}px)`] },
        { duration: timeOf(length), iterations: Number.POSITIVE_INFINITY },
      )
      running.current.currentTime = timeOf(0)
      if (stopped.current) running.current.pause()
    }
    const pause = () => running.current?.pause()
    const release = () => {
      if (!stopped.current && !list.contains(document.activeElement)) running.current?.play()
    }
    const scrollToFocused = ({ target }: FocusEvent) => {
      pause()
      // A tap also focuses: what is tapped must not move away from under the finger.
      if (!running.current || !(target instanceof Element) || !target.matches(':focus-visible'))
        return
      frame.scrollLeft = 0
      const offset = target.getBoundingClientRect().left - list.getBoundingClientRect().left
      running.current.currentTime = timeOf(offset)
    }
    start()
    const watch = new ResizeObserver(start)
    watch.observe(frame)
    reducedMotion.addEventListener('change', start)
    frame.addEventListener('pointerenter', pause)
    frame.addEventListener('pointerleave', release)
    frame.addEventListener('focusin', scrollToFocused)
    frame.addEventListener('focusout', release)
    return () => {
      running.current?.cancel()
      watch.disconnect()
      reducedMotion.removeEventListener('change', start)
      frame.removeEventListener('pointerenter', pause)
      frame.removeEventListener('pointerleave', release)
      frame.removeEventListener('focusin', scrollToFocused)
      frame.removeEventListener('focusout', release)
    }
  }, [items])
  useEffect(() => {
    stopped.current = paused
    if (paused) running.current?.pause()
    else running.current?.play()
  }, [paused])
  return { track, moves }
}
