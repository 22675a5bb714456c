import './notify.css'
import type { ReactNode } from 'react'
import { ReminderCard, useReminders } from '#domains/work/tasks/reminder-card.tsx'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { AttentionCard } from './attention-card.tsx'
import { DeviceCard } from './device-card.tsx'
import { type Channel, KindsCard } from './kinds-card.tsx'
import {
  useAttention,
  useChannels,
  useReceiveSettings,
  useSaveAttention,
  useSaveChoice,
} from './notifications-queries.ts'

/**
 * When and how the member is notified of messages. Everything is requested in parallel and shown from the top down, so
 * that nothing moves.
 */
export default function NotifyPage() {
  const attention = useAttention()
  const settings = useReceiveSettings()
  const channels = useChannels()
  const reminders = useReminders()
  const save = useSaveAttention()
  return (
    <Page
      onRefresh={() =>
        Promise.all([attention, settings, channels, reminders].map(({ refetch }) => refetch()))
      }
    >
      <div className="column stack">
        <p className="muted">{m.notifications_intro()}</p>
        <DeviceCard />
        <QueryView
          query={attention}
          skeleton={<Skeleton height={360} label={m.shell_loading()} />}
          below={<ReminderCard below={<Kinds />} />}
        >
          {(value) => <AttentionCard value={value} onChange={save} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Kinds() {
  const channels = useChannels()
  const skeleton = <Skeleton rows={3} height={96} label={m.shell_loading()} />
  return (
    <QueryView query={channels} skeleton={skeleton}>
      {(states) => (
        <KindsByChannel
          available={states.filter((state) => state.available).map(({ channel }) => channel)}
          skeleton={skeleton}
        />
      )}
    </QueryView>
  )
}

type KindsByChannelProps = { available: readonly Channel[]; skeleton: ReactNode }

function KindsByChannel({ available, skeleton }: KindsByChannelProps) {
  const settings = useReceiveSettings()
  const save = useSaveChoice()
  return (
    <QueryView query={settings} skeleton={skeleton}>
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
