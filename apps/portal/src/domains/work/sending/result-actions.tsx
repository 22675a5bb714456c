import { type SendingResult, sending } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { call } from '#lib/api.ts'
import { download } from '#lib/download.ts'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { type Channel, loadDraft } from './draft.ts'
import { useRights } from './sending-queries.ts'

const changed = [sendingLedger.result, sendingLedger.recipients, sending.list]

/** The author's remaining actions for a message. */
export function ResultActions({ result }: { result: SendingResult }) {
  const { sendId, status, inbox, reminders } = result
  const over = ['refused', 'withdrawn'].includes(status)
  const hasStarted = result.delivered > 0 || ['sent', 'stopped'].includes(status)
  const canRemind = inbox.read !== null && hasStarted && !over
  return (
    <Card title={m.sending_actions()}>
      <div className="sending-actions">
        <Pace result={result} />
        {canRemind ? <Remind sendId={sendId} /> : null}
        {over ? null : <Withdraw sendId={sendId} />}
        <Copy sendId={sendId} />
        {hasStarted ? (
          <Files sendId={sendId} finished={status !== 'sending' && status !== 'paused'} />
        ) : null}
      </div>
      {reminders.length > 0 ? (
        <ul className="sending-reminders">
          {reminders.map(({ at, channels, recipients }) => (
            <li key={at} className="muted num">
              {m.sending_reminded({
                time: formatDayAndTime(at),
                channels: channels.map(channelName).join(m.sending_name_separator()),
                count: recipients,
              })}
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

function Pace({ result: { sendId, status, delivered } }: { result: SendingResult }) {
  const pause = useAction(sendingLedger.pause, { invalidates: changed })
  const resume = useAction(sendingLedger.resume, { invalidates: changed })
  const body = { sendId }
  if (status === 'scheduled' || status === 'sending')
    return (
      <Button kind="plain" busy={pause.isPending} onClick={() => pause.mutate({ body })}>
        {m.sending_pause()}
      </Button>
    )
  if (status !== 'paused') return null
  return (
    <>
      <Button busy={resume.isPending} onClick={() => resume.mutate({ body })}>
        {m.sending_resume()}
      </Button>
      {delivered > 0 ? (
        <ConfirmedAction
          action={m.sending_stop()}
          title={m.sending_stop_ask()}
          endpoint={sendingLedger.stop}
          sendId={sendId}
          done={m.sending_is_stopped()}
        >
          {m.sending_stop_text({ count: formatNumber(delivered) })}
        </ConfirmedAction>
      ) : null}
    </>
  )
}

const Withdraw = ({ sendId }: { sendId: string }) => (
  <ConfirmedAction
    action={m.sending_withdraw()}
    title={m.sending_withdraw_ask()}
    endpoint={sendingLedger.withdraw}
    sendId={sendId}
    done={m.sending_is_withdrawn()}
  >
    {m.sending_withdraw_text()}
  </ConfirmedAction>
)

type ConfirmedActionProps = {
  action: string
  title: string
  endpoint: typeof sendingLedger.withdraw | typeof sendingLedger.stop
  sendId: string
  done: string
  children: ReactNode
}

/** Asks for confirmation of irreversible actions. */
function ConfirmedAction({
  action,
  title,
  endpoint,
  sendId,
  done,
  children,
}: ConfirmedActionProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(endpoint as typeof sendingLedger.withdraw, {
    invalidates: changed,
    done() {
      setIsConfirming(false)
      toast(done)
    },
  })
  return (
    <>
      <Button kind="plain" onClick={() => setIsConfirming(true)}>
        {action}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={title}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({ body: { sendId } })}>
              {action}
            </Button>
          </>
        }
      >
        {children}
      </Dialog>
    </>
  )
}

/** Reminds recipients who have not done what was asked, through the channels chosen here. */
function Remind({ sendId }: { sendId: string }) {
  const rights = useRights()
  const [isConfirming, setIsConfirming] = useState(false)
  const [channels, setChannels] = useState<Channel[]>([])
  const { mutate, isPending } = useAction(sendingLedger.remind, {
    invalidates: changed,
    done() {
      setIsConfirming(false)
      toast(m.sending_is_reminding())
    },
  })
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{m.sending_remind()}</Button>
      <Sheet
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.sending_remind_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button
              busy={isPending}
              disabled={channels.length === 0}
              onClick={() => mutate({ body: { sendId, channels } })}
            >
              {m.sending_remind()}
            </Button>
          </>
        }
      >
        <fieldset className="sending-channels">
          <legend>{m.sending_remind_by()}</legend>
          <div>
            {rights.data?.channels.map((channel) => (
              <label key={channel}>
                <input
                  type="checkbox"
                  checked={channels.includes(channel)}
                  onChange={() =>
                    setChannels(
                      channels.includes(channel)
                        ? channels.filter((one) => one !== channel)
                        : [...channels, channel],
                    )
                  }
                />
                <span>{channelName(channel)}</span>
              </label>
            ))}
          </div>
          <p className="muted">{m.sending_remind_note()}</p>
        </fieldset>
      </Sheet>
    </>
  )
}

function Copy({ sendId }: { sendId: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(sending.copy, { query: { sendId } }),
    onSuccess(copy) {
      loadDraft(copy)
      navigate('/msgCenter/pages/onlineSend/index', {})
    },
    onError: (error) => toast(error.message),
  })
  return (
    <Button kind="plain" busy={isPending} onClick={() => mutate()}>
      {m.sending_copy()}
    </Button>
  )
}

function Files({ sendId, finished }: { sendId: string; finished: boolean }) {
  const query = { sendId }
  const list = useMutation({
    mutationFn: () => download(sendingLedger.export, { query }, `recipients-${sendId}.csv`),
    onError: (error) => toast(error.message),
  })
  const record = useMutation({
    mutationFn: () => download(sendingLedger.evidence, { query }, `evidence-${sendId}.json`),
    onError: (error) => toast(error.message),
  })
  return (
    <>
      <Button kind="plain" busy={list.isPending} onClick={() => list.mutate()}>
        {m.sending_export()}
      </Button>
      {finished ? (
        <Button kind="plain" busy={record.isPending} onClick={() => record.mutate()}>
          {m.sending_evidence()}
        </Button>
      ) : null}
    </>
  )
}
