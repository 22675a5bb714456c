import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'
import type { DialogProps } from './dialog.tsx'

/** Implements dialogs and sheets. Imports the behaviour library, so `dialog.tsx` loads it lazily. */
export function Modal({
  variant,
  open,
  onClose,
  title,
  actions,
  children,
}: DialogProps & { variant: string }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="overlay" />
        <Base.Popup className={variant}>
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

/** Content taller than the screen can be scrolled by keyboard. */
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
