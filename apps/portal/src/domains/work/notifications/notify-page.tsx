import './notify.css'
import { ReminderCard } from '#domains/work/tasks/reminder-card.tsx'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { AttentionCard } from './attention-card.tsx'
import { DeviceCard } from './device-card.tsx'
import { KindsCard } from './kinds-card.tsx'
import {
  useAttention,
  useChannels,
  useReceiveSettings,
  useSaveAttention,
  useSaveChoice,
} from './notifications-queries.ts'

/** When and how the member is told of messages. */
export default function NotifyPage() {
  const attention = useAttention()
  const save = useSaveAttention()
  return (
    <Page onRefresh={() => attention.refetch()}>
      <div className="column stack">
        <p className="muted notify-intro">{m.notifications_intro()}</p>
        <DeviceCard />
        <QueryView query={attention} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(value) => <AttentionCard value={value} onChange={save} />}
        </QueryView>
        {/* Asked for with the card above, and shown once nothing moves them any more. */}
        <div hidden={attention.isPending}>
          <div className="stack">
            <ReminderCard />
            <Kinds />
          </div>
        </div>
      </div>
    </Page>
  )
}

function Kinds() {
  const settings = useReceiveSettings()
  const channels = useChannels()
  const save = useSaveChoice()
  const available = (channels.data ?? [])
    .filter((state) => state.available)
    .map(({ channel }) => channel)
  return (
    <QueryView
      query={settings}
      skeleton={<Skeleton rows={3} height={96} label={m.shell_loading()} />}
    >
      {(list) => {
        const apps = [...new Set(list.map(({ appId }) => appId))]
        return (
          <>
            {apps.map((appId) => (
              <KindsCard
                key={appId}
                kinds={list.filter((kind) => kind.appId === appId)}
                available={available}
                onChange={save}
              />
            ))}
          </>
        )
      }}
    </QueryView>
  )
}
