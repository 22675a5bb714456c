import type { Sending } from '@atrium/contract/work/sending'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useSendings } from './sending-queries.ts'
import { StatusPill } from './status-pill.tsx'

/** The user's sent and scheduled messages, newest first. */
export function SentList() {
  const query = useSendings()
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton rows={5} height={72} label={m.shell_loading()} />}
      isEmpty={({ pages: [first] }) => first?.list.length === 0}
      empty={
        <Card>
          <Empty icon="speaker" title={m.sending_sent_none()} />
        </Card>
      }
    >
      {({ pages }) => (
        <>
          <RowList label={m.sending_sent()} values="beside">
            {pages.flatMap(({ list }) =>
              list.map((one) => <SendingRow key={one.sendId} sending={one} />),
            )}
          </RowList>
          <ListEnd query={query} />
        </>
      )}
    </QueryView>
  )
}

/** A message in a list, with its state. */
export function SendingRow({ sending, by }: { sending: Sending; by?: string }) {
  const { timeZone } = useSystem()
  const { sendId, title, titleEn, status, sendTime, recipients } = sending
  return (
    <li>
      <Link className="list-row" to="/msgCenter/pages/onlineSend/sendResult" search={{ sendId }}>
        <span className="list-row-words">
          <span className="list-row-text">
            <span className="sent-title">{inLanguage(title, titleEn)}</span>
            <span className="sent-about muted num">
              <time dateTime={sendTime}>{formatDayAndTime(sendTime, timeZone)}</time>
              <span>{m.sending_recipient_count({ count: formatNumber(recipients) })}</span>
              {by ? <span>{by}</span> : null}
            </span>
          </span>
          <span className="list-row-value">
            <StatusPill status={status} />
          </span>
        </span>
        <Icon name="chevron" />
      </Link>
    </li>
  )
}
