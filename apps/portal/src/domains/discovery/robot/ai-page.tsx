import { assistant } from '@atrium/contract/discovery/assistant'
import { useQuery } from '@tanstack/react-query'
import { q, setAnswer } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ChatView } from './chat-view.tsx'

const path = '/pages/robot/AI'

/** The assistant: a language model that answers from the portal's content. */
export default function AiPage() {
  const { dialogId, question } = useSearch(path)
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
      <ChatView
        assistant
        dialogId={dialogId}
        question={question}
        welcome={m.robot_ai_welcome()}
        onDialog={(id) => redirect(path, { dialogId: id })}
        about={<About />}
      />
    </Page>
  )
}

/** Shows the model, what data it receives, and how many questions are left today. */
function About() {
  const { data } = useQuery(q(assistant.status))
  const { mutate } = useAction(assistant.consent, {
    done: (status) => setAnswer(q(assistant.status), status),
  })
  if (!data) return null
  if (!data.enabled) return <p className="chat-about muted">{m.robot_ai_off()}</p>
  return (
    <div className="chat-about">
      <p className="muted">
        {m.robot_ai_about({ model: data.model, host: data.host, count: data.left })}
      </p>
      <Switch
        label={m.robot_ai_agree()}
        checked={data.agreed}
        onChange={(agreed) => mutate({ body: { agreed } })}
      />
      <p className="muted">{data.agreed ? m.robot_ai_agreed() : m.robot_ai_not_agreed()}</p>
    </div>
  )
}
