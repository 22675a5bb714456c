import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { markAsSeen, nextOperation, type Operation } from './operations.ts'

// Lazy: the sheet imports the behaviour library, which home does not need otherwise.
const NoticeSheet = lazy(() => import('./notice-sheet.tsx'))

/** One important notice as a card, until it is opened or dismissed. It never covers other content. */
export function OperationsCard({
  notices,
  reportedId,
  onShow,
}: {
  notices: readonly Operation[]
  /** The notice that home currently treats as shown here. */
  reportedId: string | undefined
  /** Reports the shown notice, so that it appears in one place only. */
  onShow: (id: string | undefined) => void
}) {
  const { onlineActShowTimes: times } = useSettings()
  const [shown, show] = useState(() => nextOperation(notices, times))
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // On returning to home there may be another notice.
  const latestNotices = useRef(notices)
  latestNotices.current = notices
  useEffect(() => show((now) => now ?? nextOperation(latestNotices.current, times)), [times])
  // Before painting, since the notice bar omits it.
  useLayoutEffect(() => {
    if (shown?.id !== reportedId) onShow(shown?.id)
  }, [shown, reportedId, onShow])
  const leave = () => {
    if (shown) markAsSeen(shown.id)
    show(undefined)
    setOpen(false)
    // The focused element is gone: focus its place, so that keyboard navigation continues there.
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
