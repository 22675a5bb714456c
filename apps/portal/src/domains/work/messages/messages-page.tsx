import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TaskTabs } from '#domains/work/tasks/task-tabs.tsx'
import { useTaskCounts } from '#domains/work/tasks/tasks-queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { onNewTask, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { SignInPrompt } from '#shell/sign-in/sign-in-prompt.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { MarkAllRead } from './mark-all-read.tsx'
import { MessageApps } from './message-apps.tsx'
import { useMessageApps } from './messages-queries.ts'

type Segment = 'messages' | 'tasks'
const path = '/pages/msgCenterTab/newtask/newtask'

export default function MessagesPage() {
  return useSession() ? <MemberPage /> : <VisitorPage />
}

function VisitorPage() {
  return (
    <Page>
      <SignInPrompt icon="message" title={m.messages_visitor_title()}>
        {m.messages_visitor_text()}
      </SignInPrompt>
    </Page>
  )
}

function MemberPage() {
  const [segment, choose] = useSegment()
  const { apps, unread, unreadWithMuted } = useMessageApps()
  const todo = useTaskCounts().data?.myTodo ?? 0
  const client = useQueryClient()
  const items = [
    { value: 'messages', label: <Label text={m.messages_segment()} count={unread} /> },
    { value: 'tasks', label: <Label text={m.tasks_segment()} count={todo} /> },
  ] as const
  return (
    <Page
      actions={
        segment === 'messages' && unreadWithMuted > 0 ? (
          <MarkAllRead count={unreadWithMuted} />
        ) : null
      }
      onRefresh={() => client.refetchQueries({ type: 'active' })}
    >
      <div className="column">
        <Tabs
          variant="segment"
          label={m.messages_segments()}
          items={items}
          value={segment}
          onChange={choose}
        >
          {segment === 'messages' ? <MessageApps apps={apps} /> : <TaskTabs />}
        </Tabs>
      </div>
    </Page>
  )
}

const Label = ({ text, count }: { text: string; count: number }) => (
  <span className="num">{count > 0 ? `${text} ${count}` : text}</span>
)

/**
 * The visible half: `isactive=1` in the address shows the tasks. A choice is written to the address, so that coming
 * back restores it; an address without the field leaves the half unchanged.
 */
function useSegment() {
  const { isactive } = useSearch(path)
  const [segment, setSegment] = useState<Segment>(isactive === '1' ? 'tasks' : 'messages')
  useEffect(() => {
    if (isactive !== undefined) setSegment(isactive === '1' ? 'tasks' : 'messages')
  }, [isactive])
  useEffect(
    () => onNewTask((fields) => setSegment(fields.isactive === '1' ? 'tasks' : 'messages')),
    [],
  )
  const choose = (chosen: Segment) => {
    setSegment(chosen)
    redirect(path, { isactive: chosen === 'tasks' ? '1' : '0' })
  }
  return [segment, choose] as const
}
