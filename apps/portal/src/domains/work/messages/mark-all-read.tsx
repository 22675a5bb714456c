import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { useMarkAllRead } from './messages-queries.ts'

/** Marks every message, or every one of an application, as read. That cannot be undone, so it asks before. */
export function MarkAllRead({ count, appId }: { count: number; appId?: string | undefined }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const { mutate, isPending } = useMarkAllRead((changed) => {
    close()
    toast(m.messages_all_read_done({ count: changed }))
  })
  return (
    <>
      <button type="button" className="message-all-read" onClick={() => setAsking(true)}>
        {m.messages_all_read()}
      </button>
      <Dialog
        open={asking}
        onClose={close}
        title={m.messages_all_read_title()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.messages_all_read_keep()}
            </Button>
            <Button
              busy={isPending}
              onClick={() => mutate({ body: appId === undefined ? {} : { appId } })}
            >
              {m.messages_all_read()}
            </Button>
          </>
        }
      >
        {m.messages_all_read_text({ count })}
      </Dialog>
    </>
  )
}
