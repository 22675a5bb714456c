import './sessions.css'
import { type SignedInDevice, sessions } from '@atrium/contract/identity/sessions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { DeviceLine } from './device-line.tsx'
import { deviceName } from './session-labels.ts'

/** The member's signed-in devices, with remote sign-out. */
export default function DevicesPage() {
  const devices = useQuery(q(sessions.list))
  return (
    <Page onRefresh={devices.refetch}>
      <div className="column stack">
        <QueryView
          query={devices}
          skeleton={<Skeleton rows={3} height={104} label={m.shell_loading()} />}
          below={
            <RowList>
              <LinkRow to="/pages/set/signInRecords" icon="history">
                {m.sessions_records_title()}
              </LinkRow>
            </RowList>
          }
        >
          {(list) => <Devices list={list} />}
        </QueryView>
      </div>
    </Page>
  )
}

/** `all`: every device but this one. */
type EndTarget = SignedInDevice | 'all' | undefined

function Devices({ list }: { list: SignedInDevice[] }) {
  const [target, setTarget] = useState<EndTarget>()
  const otherDevices = list.filter((device) => !device.current)
  return (
    <>
      <Card title={m.sessions_this_device()}>
        <ul className="session-lines" aria-label={m.sessions_this_device()}>
          {list
            .filter((device) => device.current)
            .map((device) => (
              <DeviceLine key={device.id} device={device} />
            ))}
        </ul>
      </Card>
      <Card
        title={m.sessions_other_devices()}
        aside={otherDevices.length > 0 ? m.sessions_count({ count: otherDevices.length }) : null}
      >
        {otherDevices.length === 0 ? (
          <p className="muted">{m.sessions_no_others()}</p>
        ) : (
          <ul className="session-lines" aria-label={m.sessions_other_devices()}>
            {otherDevices.map((device) => (
              <DeviceLine key={device.id} device={device} onEnd={() => setTarget(device)} />
            ))}
          </ul>
        )}
      </Card>
      {otherDevices.length > 1 ? (
        <Button kind="danger" wide onClick={() => setTarget('all')}>
          {m.sessions_end_others()}
        </Button>
      ) : null}
      <p className="session-note muted">{m.sessions_note()}</p>
      <EndDialog target={target} onClose={() => setTarget(undefined)} />
    </>
  )
}

function EndDialog({ target, onClose }: { target: EndTarget; onClose: () => void }) {
  // Keeps the text while the dialog closes.
  const [shown, setShown] = useState<EndTarget>(target)
  if (target && target !== shown) setShown(target)
  const done = () => {
    toast(m.sessions_ended())
    onClose()
  }
  const endOne = useAction(sessions.remove, {
    done,
    invalidates: [sessions.list],
    // Already ended elsewhere, which is the same result.
    failed: ({ code }) => {
      if (code === 'session.not_found') done()
      return code === 'session.not_found'
    },
  })
  const all = useAction(sessions.removeOthers, { done, invalidates: [sessions.list] })
  const end = () => {
    if (target === 'all') all.mutate({})
    else if (target) endOne.mutate({ params: { id: target.id } })
  }
  const isAll = shown === 'all'
  return (
    <Dialog
      open={target !== undefined}
      onClose={onClose}
      title={isAll ? m.sessions_end_others_title() : m.sessions_end_title()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.sessions_cancel()}
          </Button>
          <Button kind="danger" busy={endOne.isPending || all.isPending} onClick={end}>
            {m.sessions_end()}
          </Button>
        </>
      }
    >
      {isAll || !shown
        ? m.sessions_end_others_text()
        : m.sessions_end_text({ device: deviceName(shown.device) })}
    </Dialog>
  )
}
