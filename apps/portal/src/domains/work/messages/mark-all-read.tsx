import { useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { useMarkAllRead } from './messages-queries.ts'

/** Marks every message as read, after a confirmation. */
export function MarkAllRead({ count }: { count: number }) {
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <>
      <button type="button" className="message-all-read" onClick={() => setIsConfirming(true)}>
        {m.messages_all_read()}
      </button>
      <MarkAllReadDialog open={isConfirming} onClose={() => setIsConfirming(false)} count={count} />
    </>
  )
}

type MarkAllReadDialogProps = { open: boolean; onClose: () => void; count: number }

/** Asks for confirmation, since it cannot be undone. */
export function MarkAllReadDialog({ open, onClose, count }: MarkAllReadDialogProps) {
  const { mutate, isPending } = useMarkAllRead((changed) => {
    onClose()
    toast(m.messages_all_read_done({ count: formatNumber(changed) }))
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.messages_all_read_title()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.messages_all_read_keep()}
          </Button>
          <Button busy={isPending} onClick={() => mutate({ body: {} })}>
            {m.messages_all_read()}
          </Button>
        </>
      }
    >
      {m.messages_all_read_text({ count })}
    </Dialog>
  )
}
