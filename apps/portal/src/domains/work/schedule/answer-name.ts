import type { EventDetail } from '@atrium/contract/work/schedule'
import { m } from '#paraglide/messages.js'

/** The display name of a participant's answer. */
export function answerName(answer: NonNullable<EventDetail['answer']>) {
  switch (answer) {
    case 'none':
      return m.schedule_answer_none()
    case 'yes':
      return m.schedule_answer_yes()
    case 'maybe':
      return m.schedule_answer_maybe()
    case 'no':
      return m.schedule_answer_no()
  }
}
