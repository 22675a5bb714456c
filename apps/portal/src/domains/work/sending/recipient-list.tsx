import type { SendingResult } from '@atrium/contract/work/sending'
import type { SendingRecipient } from '@atrium/contract/work/sending-ledger'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { type RecipientStatus, useRecipients } from './sending-queries.ts'

const path = '/msgCenter/pages/onlineSend/sendResult'
const statuses = ['waiting', 'delivered', 'read', 'confirmed', 'unconfirmed', 'failed'] as const

/** The recipients with their states, filterable. */
export function Recipients({ result }: { result: SendingResult }) {
  const search = useSearch(path)
  const status = statuses.find((one) => one === search.status)
  const query = useRecipients(result.sendId, status)
  const filters: (RecipientStatus | '')[] =
    result.inbox.read !== null
      ? ['', 'confirmed', 'unconfirmed', 'read', 'failed']
      : ['', 'waiting', 'delivered', 'failed']
  const names: Record<RecipientStatus | '', string> = {
    '': m.sending_everybody(),
    waiting: m.sending_state_waiting(),
    delivered: m.sending_state_delivered(),
    read: m.sending_state_read(),
    confirmed: m.sending_state_confirmed(),
    unconfirmed: m.sending_state_unconfirmed(),
    failed: m.sending_state_failed(),
  }
  return (
    <Card title={m.sending_recipients()}>
      <SelectField
        label={m.sending_filter()}
        value={status ?? ''}
        onValue={(value) => redirect(path, { sendId: result.sendId, status: value || undefined })}
      >
        {filters.map((value) => (
          <option key={value} value={value}>
            {names[value]}
          </option>
        ))}
      </SelectField>
      <QueryView
        query={query}
        skeleton={<Skeleton rows={4} height={56} label={m.shell_loading()} />}
        isEmpty={({ pages: [first] }) => first?.list.length === 0}
        empty={<Empty icon="people" title={m.sending_recipients_none()} />}
      >
        {({ pages }) => (
          <>
            <ul className="sending-recipients" aria-label={m.sending_recipients()}>
              {pages.flatMap(({ list }) =>
                list.map((one) => <Recipient key={one.contact} recipient={one} />),
              )}
            </ul>
            <ListEnd query={query} />
          </>
        )}
      </QueryView>
    </Card>
  )
}

const inboxStates: Record<Exclude<SendingRecipient['inbox'], 'none'>, () => string> = {
  waiting: m.sending_state_waiting,
  delivered: m.sending_state_delivered,
  read: m.sending_state_read,
  confirmed: m.sending_state_confirmed,
  withdrawn: m.sending_state_withdrawn,
  failed: m.sending_state_failed,
}
const channelStates: Record<SendingRecipient['channels'][number]['status'], () => string> = {
  waiting: m.sending_state_held,
  queued: m.sending_state_queued,
  sent: m.sending_state_sent,
  failed: m.sending_state_failed,
  skipped: m.sending_state_skipped,
}

function Recipient({ recipient }: { recipient: SendingRecipient }) {
  const { name, nameEn, contact, organization, organizationEn, inbox, channels } = recipient
  return (
    <li>
      <span className="choice-words">
        <span>{inLanguage(name, nameEn) || contact || m.sending_account_gone()}</span>
        <span className="muted">
          <Facts of={[name ? contact : '', inLanguage(organization, organizationEn)]} />
        </span>
      </span>
      <span className="sending-recipient-states">
        {inbox === 'none' ? null : <span>{inboxStates[inbox]()}</span>}
        {channels.map(({ channel, status, error }) => (
          <span key={channel} className="muted">
            {channelName(channel)} {channelStates[status]()}
            {error ? <span className="sending-error">{error}</span> : null}
          </span>
        ))}
      </span>
    </li>
  )
}
