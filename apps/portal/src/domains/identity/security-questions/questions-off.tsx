import { m } from '#paraglide/messages.js'
import { Empty } from '#ui/feedback/empty.tsx'

/** Shown if the institution does not use security questions. */
export const QuestionsOff = () => (
  <Empty icon="shield" title={m.account_questions_off()}>
    {m.account_questions_off_text()}
  </Empty>
)
