import type { Home } from '@atrium/contract/home'
import { figures } from '@atrium/rules/figures'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Bilingual } from '#ui/bilingual.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'

// The sheet brings the behaviour library along, which home does without.
const NoticeSheet = lazy(() => import('./notice-sheet.tsx'))

type Notices = NonNullable<Home['notices']>

/** What the institution wants everybody to know, running past; it stands still for whoever wants it to. */
export function NoticeBar({ notices }: { notices: Notices }) {
  const [shown, setShown] = useState<string>()
  const [paused, setPaused] = useState(false)
  const { track, moves } = useRunning(paused, notices)
  if (notices.length === 0) return null
  return (
    <section className="notice-bar" aria-label={m.home_notices()}>
      <Icon name="speaker" />
      <div className="notice-window">
        <ul ref={track} style={{ fontSize: `${figures.noticeBarFontSize / 16}rem` }}>
          {notices.map(({ id, title, titleEn }) => (
            <li key={id}>
              <button type="button" onClick={() => setShown(id)}>
                <Bilingual zh={title} en={titleEn} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      {moves ? (
        <IconButton
          label={paused ? m.home_notices_play() : m.home_notices_pause()}
          onClick={() => setPaused(!paused)}
        >
          <Icon name={paused ? 'play' : 'pause'} />
        </IconButton>
      ) : null}
      {shown ? (
        <Suspense>
          <NoticeSheet id={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      ) : null}
    </section>
  )
}

/**
 * Moves the line through its window when it is longer than that. Touch, mouse and keyboard focus hold it; people who asked
 * their device for less motion get a line that they scroll themselves.
 */
function useRunning(paused: boolean, notices: Notices) {
  const track = useRef<HTMLUListElement>(null)
  const running = useRef<Animation>(undefined)
  const [moves, setMoves] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other notices have another length
  useEffect(() => {
    const line = track.current
    const frame = line?.parentElement
    if (!line || !frame) return
    const calm = matchMedia('(prefers-reduced-motion: reduce)')
    const begin = () => {
      running.current?.cancel()
      running.current = undefined
      const [length, room] = [line.scrollWidth, frame.clientWidth]
      setMoves(length > room && !calm.matches)
      if (length <= room || calm.matches) return
      const way = [`translateX(${room}px)`, `translateX(-${length}px)`]
      const animation = line.animate(
        { transform: way },
        {
          duration: ((room + length) / figures.noticeBarSpeed) * 1000,
          iterations: Number.POSITIVE_INFINITY,
        },
      )
      // It begins with the first words in view.
      animation.currentTime = (room / figures.noticeBarSpeed) * 1000
      running.current = animation
    }
    const hold = () => running.current?.pause()
    const release = () => {
      if (!line.contains(document.activeElement)) running.current?.play()
    }
    begin()
    const watch = new ResizeObserver(begin)
    watch.observe(frame)
    calm.addEventListener('change', begin)
    const events = [
      ['pointerenter', hold],
      ['pointerleave', release],
      ['focusin', hold],
      ['focusout', release],
    ] as const
    for (const [name, react] of events) frame.addEventListener(name, react)
    return () => {
      running.current?.cancel()
      watch.disconnect()
      calm.removeEventListener('change', begin)
      for (const [name, react] of events) frame.removeEventListener(name, react)
    }
  }, [notices])
  return { track, moves, paused }
}
