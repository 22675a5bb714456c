import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Icon } from '#ui/media/icon.tsx'
import { ChatView } from './chat-view.tsx'

/** The service desk: the robot answers from what the portal knows, and people where it does not. */
export default function RobotPage() {
  const { dialogId, question } = useSearch('/pages/robot/robot')
  return (
    <Page
      actions={
        <Link
          className="icon-button"
          to="/pages/robot/dialogs"
          aria-label={m.robot_dialogs_title()}
        >
          <Icon name="history" />
        </Link>
      }
    >
      <ChatView dialogId={dialogId} question={question} welcome={m.robot_welcome()} />
    </Page>
  )
}
