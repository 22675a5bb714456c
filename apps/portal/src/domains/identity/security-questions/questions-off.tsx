import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'

/** Shown if the institution does not use security questions. */
export const QuestionsOff = () => (
  <Card>
    <Empty
      icon="shield"
      title={m.account_questions_off()}
      action={
        <Link className="button button-plain" to="/pagesA/safeSet/safeSet">
          {m.account_title()}
        </Link>
      }
    >
      {m.account_questions_off_text()}
    </Empty>
  </Card>
)
