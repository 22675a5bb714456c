import './dialog.css'
import '../form/icon-button.css'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useOverlayEntry } from './overlay-entries.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Buttons at the end. */
  actions?: ReactNode
  children?: ReactNode
}

/** A modal question in the middle of the screen. Traps the focus and restores it. */
export const Dialog = (props: DialogProps) => <LazyModal variant="dialog" {...props} />

/** A modal choice that slides up from the bottom. */
export const Sheet = (props: DialogProps) => <LazyModal variant="sheet" {...props} />

type Modal = ComponentType<DialogProps & { variant: string }>
let modal: Modal | undefined

/**
 * Loads the code of dialogs, 28 KB that no page needs for reading: after the first screen, or with the first dialog.
 */
export const loadDialogs = () =>
  import('./modal.tsx').then((code) => {
    modal = code.Modal
    return code.Modal
  })

function LazyModal(props: DialogProps & { variant: string }) {
  const { open, onClose } = props
  const [Modal, setModal] = useState<Modal | undefined>(() => modal)
  useOverlayEntry(open, onClose)
  const missing = open && !Modal
  useEffect(() => {
    // Without its code the dialog cannot open; opening it again retries the load.
    if (missing) loadDialogs().then((code) => setModal(() => code), onClose)
  }, [missing, onClose])
  return Modal ? <Modal {...props} /> : null
}
