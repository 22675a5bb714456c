import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { nextOperation, type Operation, putAway } from './operations.ts'

// The sheet brings the behaviour library along, which home does without.
const NoticeSheet = lazy(() => import('./notice-sheet.tsx'))

/** One notice that nobody should miss, until it is opened or put away. Never in the way: a card among the others. */
export function OperationsCard({
  notices,
  said,
  onShow,
}: {
  notices: readonly Operation[]
  /** Which one home takes it to show. */
  said: string | undefined
  /** Says which one it shows: it stands in one place only. */
  onShow: (id: string | undefined) => void
}) {
  const { onlineActShowTimes: times } = useSettings()
  const [shown, show] = useState(() => nextOperation(notices, times))
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // Home is come back to: perhaps there is another one by now.
  const known = useRef(notices)
  known.current = notices
  useEffect(() => show((now) => now ?? nextOperation(known.current, times)), [times])
  // Before it is painted: the line of notices leaves it out.
  useLayoutEffect(() => {
    if (shown?.id !== said) onShow(shown?.id)
  }, [shown, said, onShow])
  const leave = () => {
    if (shown) putAway(shown.id)
    show(undefined)
    setOpen(false)
    // What had the focus is gone: the keys go on from where it was.
    place.current?.focus({ preventScroll: true })
  }
  return (
    <div className="operations" ref={place} tabIndex={-1}>
      {shown ? (
        <section className="operations-card" aria-label={m.home_operation()}>
          <button type="button" className="operations-open" onClick={() => setOpen(true)}>
            <IconTile glyph="speaker" tone="orange" />
            <span>
              <span className="muted">{m.home_operation()}</span>
              <strong>
                <Bilingual zh={shown.title} en={shown.titleEn} />
              </strong>
            </span>
          </button>
          <IconButton label={m.home_operation_away()} onClick={leave}>
            <Icon name="close" />
          </IconButton>
        </section>
      ) : null}
      {open && shown ? (
        <Suspense>
          <NoticeSheet id={shown.id} onClose={leave} />
        </Suspense>
      ) : null}
    </div>
  )
}
