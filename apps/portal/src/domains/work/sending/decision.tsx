import { sending } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftFields } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

/** Approves someone else's message, or refuses it with a reason. */
export function Decision({ sendId }: { sendId: string }) {
  const [refusing, setRefusing] = useState(false)
  const [reason, setReason] = useState('')
  const { mutate, isPending } = useAction(sendingLedger.decide, {
    invalidates: [sendingLedger.result, sendingLedger.approvals, sending.rights],
    done: (_, { body }) => {
      setRefusing(false)
      deleteDraft(`sending.refuse ${sendId}`)
      toast(body.approve ? m.sending_is_approved() : m.sending_is_refused())
    },
    failed(error) {
      if (error.code === 'sending.decided') setRefusing(false)
      return false
    },
  })
  return (
    <div className="sending-decision">
      <Button kind="plain" onClick={() => setRefusing(true)}>
        {m.sending_refuse()}
      </Button>
      <Button
        busy={isPending && !refusing}
        onClick={() => mutate({ body: { sendId, approve: true, reason: '' } })}
      >
        {m.sending_approve()}
      </Button>
      <Dialog
        open={refusing}
        onClose={() => setRefusing(false)}
        title={m.sending_refuse_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setRefusing(false)}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={isPending}
              disabled={!reason.trim()}
              onClick={() => mutate({ body: { sendId, approve: false, reason } })}
            >
              {m.sending_refuse()}
            </Button>
          </>
        }
      >
        <DraftFields draft={`sending.refuse ${sendId}`}>
          <TextArea
            label={m.sending_refuse_reason()}
            value={reason}
            onValue={setReason}
            maxLength={500}
            rows={3}
          />
        </DraftFields>
      </Dialog>
    </div>
  )
}
