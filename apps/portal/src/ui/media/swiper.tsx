import './swiper.css'
import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { IconButton } from '../form/icon-button.tsx'
import { Icon } from './icon.tsx'

type SwiperProps = {
  label: string
  /** The user of the component sets the height. */
  slides: readonly { key: string; content: ReactNode }[]
}

/**
 * A carousel that advances by itself. Paused by its button, hovering, focus, touch, a hidden page and reduced motion.
 */
export function Swiper({ label, slides }: SwiperProps) {
  const row = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [stopped, setStopped] = useState(() => matchMedia(reducedMotion).matches)
  const count = slides.length
  const scrollToSlide = (next: number) => {
    const slide = (next + count) % count
    // Jump without animation from the last slide to the first.
    const behavior =
      Math.abs(slide - current) > 1 || matchMedia(reducedMotion).matches ? 'auto' : 'smooth'
    row.current?.scrollTo({ left: slide * row.current.clientWidth, behavior })
  }
  const isPaused = usePaused(row)
  useEffect(() => {
    if (stopped || isPaused || count < 2) return
    const timer = setTimeout(() => scrollToSlide(current + 1), figures.swiperInterval)
    return () => clearTimeout(timer)
  })
  const updateCurrent = () => {
    const frame = row.current
    if (frame?.clientWidth) setCurrent(Math.round(frame.scrollLeft / frame.clientWidth))
  }
  return (
    <section className="swiper" aria-roledescription={m.ui_carousel()} aria-label={label}>
      {/* Before the slides, so that it comes first in the tab order. */}
      {count > 1 ? (
        <div className="swiper-controls">
          <IconButton label={m.ui_slides_previous()} onClick={() => scrollToSlide(current - 1)}>
            <Icon name="back" />
          </IconButton>
          <IconButton
            label={stopped ? m.ui_slides_play() : m.ui_slides_pause()}
            onClick={() => setStopped(!stopped)}
          >
            <Icon name={stopped ? 'play' : 'pause'} />
          </IconButton>
          <IconButton label={m.ui_slides_next()} onClick={() => scrollToSlide(current + 1)}>
            <Icon name="chevron" />
          </IconButton>
        </div>
      ) : null}
      <div className="swiper-row" ref={row} onScroll={updateCurrent}>
        {slides.map(({ key, content }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is no group of form fields
          <div
            key={key}
            className="swiper-slide"
            role="group"
            aria-roledescription={m.ui_slide()}
            aria-label={m.ui_slide_of({ at: index + 1, of: count })}
          >
            {content}
          </div>
        ))}
      </div>
      {count > 1 ? (
        <div className="swiper-dots" aria-hidden="true">
          {slides.map(({ key }, index) => (
            <i
              key={key}
              className={index === current ? 'swiper-dot swiper-dot-on' : 'swiper-dot'}
            />
          ))}
        </div>
      ) : null}
    </section>
  )
}

const reducedMotion = '(prefers-reduced-motion: reduce)'

/** Whether to pause: hovered, focused or touched, or the page is hidden. */
function usePaused(row: { current: HTMLElement | null }) {
  const [isPaused, setIsPaused] = useState(false)
  useEffect(() => {
    const frame = row.current?.parentElement
    if (!frame) return
    const reasons = new Set<string>()
    const toggleReason = (reason: string, isActive: boolean) => () => {
      if (isActive) reasons.add(reason)
      else reasons.delete(reason)
      setIsPaused(reasons.size > 0)
    }
    const onVisibilityChange = () => toggleReason('hidden', document.hidden)()
    const events: [string, () => void][] = [
      ['pointerenter', toggleReason('mouse', true)],
      ['pointerleave', toggleReason('mouse', false)],
      ['touchstart', toggleReason('finger', true)],
      ['touchend', toggleReason('finger', false)],
      ['touchcancel', toggleReason('finger', false)],
      ['focusin', toggleReason('focus', true)],
      ['focusout', toggleReason('focus', false)],
    ]
    for (const [name, listener] of events) frame.addEventListener(name, listener, { passive: true })
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      for (const [name, listener] of events) frame.removeEventListener(name, listener)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [row])
  return isPaused
}
