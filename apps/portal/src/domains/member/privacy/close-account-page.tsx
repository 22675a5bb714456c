import './privacy.css'
import type { Static } from '@atrium/contract/define'
import { type AccountClosing, privacy } from '@atrium/contract/member/privacy'
import { useState } from 'react'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useClosing } from './privacy-queries.ts'

type Closing = Static<typeof AccountClosing>

/** Requests closing the account, or withdraws the request. */
export default function CloseAccountPage() {
  const closing = useClosing()
  return (
    <Page onRefresh={() => closing.refetch()}>
      <div className="column stack">
        <QueryView query={closing} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(state) =>
            state.status === 'waiting' ? (
              <Waiting state={state} />
            ) : state.offered && !state.operator ? (
              <Request state={state} />
            ) : (
              <Card>
                <Empty
                  icon="info"
                  title={state.offered ? m.privacy_closing_operator() : m.privacy_closing_off()}
                >
                  {state.offered ? m.privacy_closing_operator_hint() : m.privacy_closing_off_hint()}
                </Empty>
              </Card>
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Waiting({ state }: { state: Closing }) {
  const { mutate, isPending } = useAction(privacy.withdrawClosing, {
    invalidates: [privacy.closingState],
    done: () => toast(m.privacy_closing_kept()),
  })
  return (
    <Card>
      <p className="closing-due" role="status">
        <Icon name="warning" />
        {m.privacy_closing_due({ time: state.dueAt ? formatDayAndTime(state.dueAt) : '' })}
      </p>
      <p className="privacy-note">{m.privacy_closing_due_text()}</p>
      <div className="privacy-actions">
        <Button wide busy={isPending} onClick={() => mutate({})}>
          {m.privacy_closing_keep()}
        </Button>
      </div>
    </Card>
  )
}

function Request({ state }: { state: Closing }) {
  const [reason, setReason] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const send = () => request.mutate({ body: { reason: reason.trim() } })
  const request = useAction(privacy.requestClosing, {
    invalidates: [privacy.closingState],
    failed: confirmFirst,
  })
  return (
    <>
      {state.status === 'refused' ? (
        <Card title={m.privacy_closing_refused()}>
          <p className="privacy-text">{state.answer}</p>
        </Card>
      ) : null}
      <Card title={m.privacy_closing_before()}>
        <ul className="privacy-list">
          <li>
            {m.privacy_closing_accounts({ accounts: state.accounts.join(m.privacy_comma()) })}
          </li>
          <li>{m.privacy_closing_gone()}</li>
          <li>{m.privacy_closing_stays()}</li>
          <li>{m.privacy_closing_days({ days: state.days })}</li>
          <li>{m.privacy_closing_export()}</li>
        </ul>
      </Card>
      <Card>
        <TextArea
          label={m.privacy_closing_reason()}
          value={reason}
          onValue={setReason}
          rows={3}
          maxLength={500}
        />
        <label className="closing-agree">
          <input
            type="checkbox"
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <span>{m.privacy_closing_agree()}</span>
        </label>
        <div className="privacy-actions">
          <Button
            kind="danger"
            wide
            disabled={!agreed}
            busy={request.isPending}
            onClick={() => setIsConfirming(true)}
          >
            {m.privacy_closing_ask()}
          </Button>
        </div>
      </Card>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.privacy_closing_sure()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              onClick={() => {
                setIsConfirming(false)
                send()
              }}
            >
              {m.privacy_closing_yes()}
            </Button>
          </>
        }
      >
        {m.privacy_closing_sure_text({ days: state.days })}
      </Dialog>
    </>
  )
}
