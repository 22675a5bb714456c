import './scan-login.css'
import { type ScanRequest, scanLogin } from '@atrium/contract/identity/scan-login'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceName, placeText } from '#domains/identity/sessions/session-labels.ts'
import { formatDayAndTime } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** The page on the phone that scanned a computer's code: shows who is signing in and asks for approval. */
export default function ConfirmPage() {
  const { code } = useSearch('/pages/login/scanConfirm')
  const [decided, setDecided] = useState<boolean>()
  const request = useQuery({
    ...q(scanLogin.read, { body: { code } }),
    enabled: decided === undefined,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0,
  })
  if (decided !== undefined) return <Decided confirmed={decided} />
  return (
    <Page>
      <div className="column stack">
        <QueryView query={request} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => <Approval code={code} request={data} onDecided={setDecided} />}
        </QueryView>
      </div>
    </Page>
  )
}

type ApprovalProps = { code: string; request: ScanRequest; onDecided: (confirmed: boolean) => void }

function Approval({ code, request, onDecided }: ApprovalProps) {
  const { device, startedAt, number, sameNetwork, proof } = request
  const { mutate, isPending, variables } = useAction(scanLogin.decide, {
    done: (_, { body }) => onDecided(body.confirm),
    failed: confirmFirst,
  })
  const decide = (confirm: boolean) => mutate({ body: { code, confirm } })
  const facts: [string, string][] = [
    [m.scan_login_device(), deviceName(device)],
    [request.place ? m.scan_login_place() : m.scan_login_address(), placeText(request)],
    ...(sameNetwork
      ? [[m.scan_login_network(), m.scan_login_same_network()] as [string, string]]
      : []),
    [m.scan_login_time(), formatDayAndTime(startedAt)],
  ]
  return (
    <>
      <Card title={m.scan_login_asks()}>
        <FactList of={facts} />
        {sameNetwork ? null : (
          <p className="scan-confirm-warning">{m.scan_login_other_network()}</p>
        )}
      </Card>
      <Card title={m.scan_login_compare()}>
        <p className="scan-confirm-number num">{number}</p>
        <p className="muted">{m.scan_login_compare_text()}</p>
      </Card>
      <p className="scan-confirm-warning">
        <Icon name="warning" />
        <span>{m.scan_login_warning()}</span>
      </p>
      {proof ? <p className="muted">{m.scan_login_proof()}</p> : null}
      <Button
        wide
        busy={isPending && variables?.body.confirm === true}
        onClick={() => decide(true)}
      >
        {m.scan_login_confirm()}
      </Button>
      <Button
        kind="plain"
        wide
        busy={isPending && variables?.body.confirm === false}
        onClick={() => decide(false)}
      >
        {m.scan_login_refuse()}
      </Button>
    </>
  )
}

function Decided({ confirmed }: { confirmed: boolean }) {
  return (
    <Page>
      <div className="column stack">
        <Card>
          <Empty
            icon={confirmed ? 'check' : 'shield'}
            title={confirmed ? m.scan_login_confirmed() : m.scan_login_refused()}
            action={
              <Link className="button button-plain" to="/pages/set/devices">
                {m.scan_login_devices()}
              </Link>
            }
          >
            {confirmed ? m.scan_login_confirmed_text() : m.scan_login_refused_text()}
          </Empty>
        </Card>
      </div>
    </Page>
  )
}
