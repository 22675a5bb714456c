import './operated-sources.css'
import type { SourceKind } from '@atrium/contract/member/personal-source'
import {
  type PersonalSource,
  personalSourceSettings,
} from '@atrium/contract/member/personal-sources.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { ConnectSource } from './connect-source.tsx'
import { kindName, methodName, SourceState } from './source-labels.tsx'

const changed = [personalSourceSettings.list, personalSourceSettings.read]

/** One source system of member data: its state, a test with one member, and its connection. */
export default function OperatedSourcePage() {
  const { kind = 'ecard' } = useSearch('/pages/secondWork/personalSources/detail')
  const sources = useQuery(q(personalSourceSettings.list))
  return (
    <Page title={kindName(kind)} onRefresh={() => sources.refetch()}>
      <div className="column stack">
        <QueryView
          query={sources}
          skeleton={<Skeleton rows={3} height={160} label={m.shell_loading()} />}
        >
          {(list) => <Source kind={kind} source={list.find((one) => one.kind === kind)} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Source({ kind, source }: { kind: SourceKind; source: PersonalSource | undefined }) {
  const described = useQuery({
    ...q(personalSourceSettings.read, { params: { kind } }),
    enabled: source !== undefined,
    refetchOnWindowFocus: false,
  })
  if (!source)
    return (
      <>
        <p className="muted">{m.personal_sources_not_connected()}</p>
        <ConnectSource kind={kind} connector={undefined} hasSecret={false} changed={changed} />
      </>
    )
  return (
    <>
      <Health source={source} />
      <QueryView query={described} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
        {({ connector, hasSecret }) => (
          <>
            <ConnectSource
              kind={kind}
              connector={connector}
              hasSecret={hasSecret}
              changed={changed}
            />
            <Disconnect kind={kind} />
          </>
        )}
      </QueryView>
    </>
  )
}

const tookFact = ({ milliseconds }: PersonalSource): [string, string] => [
  m.personal_sources_took(),
  m.personal_sources_milliseconds({ count: formatNumber(milliseconds) }),
]

function Health({ source }: { source: PersonalSource }) {
  const { timeZone } = useSystem()
  const at = (time: string | null) =>
    time ? formatDayAndTime(time, timeZone) : m.personal_sources_never()
  const facts: [string, string][] =
    source.way === 'import'
      ? []
      : [
          [m.personal_sources_asked_at(), at(source.askedAt)],
          [m.personal_sources_answered_at(), at(source.answeredAt)],
          ...(source.answeredAt ? [tookFact(source)] : []),
          [
            m.personal_sources_answers(),
            m.personal_sources_counts({
              answers: formatNumber(source.answers),
              errors: formatNumber(source.errors),
            }),
          ],
          [m.personal_sources_failures(), formatNumber(source.failures)],
          [m.personal_sources_refused_name(), formatNumber(source.refused)],
          [
            m.personal_sources_keep(),
            m.personal_sources_minutes({ count: formatNumber(source.keepMinutes) }),
          ],
        ]
  return (
    <Card title={m.personal_sources_health()} aside={<SourceState state={source.state} />}>
      <FactList
        of={[
          [m.personal_sources_way(), methodName(source.way)],
          ...facts,
          [m.personal_sources_members(), formatNumber(source.members)],
        ]}
      />
      {source.error ? (
        <p className="operated-source-wrong">{m.personal_sources_error({ error: source.error })}</p>
      ) : null}
    </Card>
  )
}

function Disconnect({ kind }: { kind: SourceKind }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(personalSourceSettings.disconnect, {
    invalidates: changed,
    done() {
      setIsConfirming(false)
      toast(m.personal_sources_disconnected())
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.personal_sources_disconnect()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.personal_sources_disconnect_sure({ name: kindName(kind) })}
        actions={
          <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { kind } })}>
            {m.personal_sources_disconnect()}
          </Button>
        }
      >
        {m.personal_sources_disconnect_text()}
      </Dialog>
    </>
  )
}
