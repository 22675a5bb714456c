import { desk } from '@atrium/contract/discovery/desk'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ChatView } from './chat-view.tsx'

const path = '/pages/robot/robot'

/** The service desk: the robot answers from the portal's content, agents answer the rest. */
export default function RobotPage() {
  const { dialogId, question } = useSearch(path)
  return (
    <Page
      actions={
        <>
          <DeskEntry />
          <Link
            className="icon-button"
            to="/pages/robot/dialogs"
            aria-label={m.robot_dialogs_title()}
          >
            <Icon name="history" />
          </Link>
        </>
      }
    >
      <ChatView
        dialogId={dialogId}
        question={question}
        welcome={m.robot_welcome()}
        onDialog={(id) => redirect(path, { dialogId: id })}
      />
    </Page>
  )
}

/** Link for agents of a desk. */
function DeskEntry() {
  const { data = [] } = useQuery(q(desk.desks))
  if (data.length === 0) return null
  const waiting = data.reduce((sum, one) => sum + one.waiting, 0)
  return (
    <Link className="icon-button robot-desk" to="/pages/robot/desk">
      <Icon name="people" label={m.robot_own_desk()} />
      {waiting > 0 ? <Badge count={waiting} label={m.robot_waiting({ count: waiting })} /> : null}
    </Link>
  )
}
