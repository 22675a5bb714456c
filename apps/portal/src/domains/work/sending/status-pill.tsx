import type { Sending } from '@atrium/contract/work/sending'
import type { ComponentProps } from 'react'
import { m } from '#paraglide/messages.js'
import { Pill } from '#ui/pill.tsx'

const looks: Record<Sending['status'], [ComponentProps<typeof Pill>['tone'], () => string]> = {
  pending: ['amber', m.sending_status_pending],
  refused: ['orange', m.sending_status_refused],
  scheduled: ['amber', m.sending_status_scheduled],
  sending: ['blue', m.sending_status_sending],
  paused: ['amber', m.sending_status_paused],
  sent: ['green', m.sending_status_sent],
  stopped: ['orange', m.sending_status_stopped],
  withdrawn: ['orange', m.sending_status_withdrawn],
}

/** The state of a message. */
export function StatusPill({ status }: { status: Sending['status'] }) {
  const [tone, text] = looks[status]
  return <Pill tone={tone}>{text()}</Pill>
}
