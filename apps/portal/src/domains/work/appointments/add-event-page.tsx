import { news } from '@atrium/contract/content/news'
import { messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { dayIn } from '@atrium/rules/day-in'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClock } from '#domains/work/schedule/use-clock.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { startDraft, useDraft } from './appointment-draft.ts'
import { AppointmentForm } from './appointment-form.tsx'
import { firstTimes } from './first-times.ts'

/** Creates an event from an article, a message or a task. */
export default function AddEventPage() {
  const { id, from } = useSearch('/msgCenter/pages/schedule/newsAddSchedule')
  const Source = from === 'message' ? FromMessage : from === 'task' ? FromTask : FromArticle
  return (
    <Page>
      <div className="column stack">
        <p className="muted">{m.schedule_add_text()}</p>
        <Source id={id} />
      </div>
    </Page>
  )
}

const skeleton = () => <Skeleton height={420} label={m.shell_loading()} />

function FromArticle({ id }: { id: string }) {
  const article = useQuery(q(news.read, { params: { id } }))
  return (
    <QueryView query={article} skeleton={skeleton()}>
      {({ title, titleEn, columnId }) => (
        <FromSource
          source={`article ${id}`}
          title={inLanguage(title, titleEn)}
          address={hrefOf('/pagesA/news/detail', { id, columnId })}
        />
      )}
    </QueryView>
  )
}

function FromMessage({ id }: { id: string }) {
  const message = useQuery(q(messages.read, { query: { id } }))
  return (
    <QueryView query={message} skeleton={skeleton()}>
      {({ title, titleEn }) => (
        <FromSource
          source={`message ${id}`}
          title={inLanguage(title, titleEn)}
          address={hrefOf('/pagesA/message/detail', { id })}
          messageId={id}
        />
      )}
    </QueryView>
  )
}

function FromTask({ id }: { id: string }) {
  const task = useQuery(q(tasks.read, { params: { id } }))
  return (
    <QueryView query={task} skeleton={skeleton()}>
      {({ title, titleEn, dueAt }) => (
        <FromSource
          source={`task ${id}`}
          title={inLanguage(title, titleEn)}
          address={hrefOf('/msgCenter/pages/task/applicationDetail', { id })}
          dueAt={dueAt}
        />
      )}
    </QueryView>
  )
}

type FromSourceProps = {
  source: string
  /** title of the event, and the address of its source */
  title: string
  address: string
  messageId?: string
  dueAt?: string | null
}

function FromSource({ source, title, address, messageId, dueAt }: FromSourceProps) {
  const { settings, zone } = useClock()
  useEffect(() => {
    if (!zone) return
    const url = new URL(address, window.location.origin).href
    startDraft(source, {
      title: title.slice(0, 200),
      timeZone: zone,
      ...(dueAt ? endingAt(dueAt, zone) : firstTimes(zone)),
      // Without HTTPS the portal's address is not accepted as a link.
      ...(url.startsWith('https:')
        ? { url }
        : { notes: m.schedule_from_news({ title, address: url }) }),
    })
  }, [source, zone, title, address, dueAt])
  const draft = useDraft()
  return (
    <QueryView query={settings} skeleton={skeleton()}>
      {() =>
        zone && draft.begun === source ? (
          <AppointmentForm zone={zone} {...(messageId !== undefined && { messageId })} />
        ) : (
          skeleton()
        )
      }
    </QueryView>
  )
}

/** The hour before the due time. */
function endingAt(dueAt: string, zone: string) {
  const [starts, ends] = [Date.parse(dueAt) - 3_600_000, Date.parse(dueAt)] as const
  return {
    firstDay: dayIn(starts, zone),
    starts: formatTime(starts, zone),
    lastDay: dayIn(ends, zone),
    ends: formatTime(ends, zone),
  }
}
