import './dialog.css'
import '../form/icon-button.css'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'
import { useOverlayEntry } from './overlay-entries.ts'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Buttons at the end. */
  actions?: ReactNode
  children?: ReactNode
}

/** A question that has to be answered, in the middle of the screen. Keeps the focus and gives it back. */
export const Dialog = (props: DialogProps) => <Modal look="dialog" {...props} />

/** A choice that comes up from below. */
export const Sheet = (props: DialogProps) => <Modal look="sheet" {...props} />

function Modal({ look, open, onClose, title, actions, children }: DialogProps & { look: string }) {
  useOverlayEntry(open, onClose)
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="overlay" />
        <Base.Popup className={look}>
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close className="icon-button" aria-label={m.shell_close()}>
              <Icon name="close" />
            </Base.Close>
          </div>
          <Body>{children}</Body>
          {actions ? <div className="dialog-actions">{actions}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** What is longer than the screen is scrolled by keys too. */
function Body({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = body.current
    if (!element) return
    const watch = new ResizeObserver(() => setScrolls(element.scrollHeight > element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={body} className="dialog-body" tabIndex={scrolls ? 0 : undefined}>
      {children}
    </div>
  )
}
