import './sessions.css'
import { type SignInRecord, sessions } from '@atrium/contract/identity/sessions'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDayAndTime } from '#lib/format.ts'
import { numberedPages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { deviceName, methodText, placeText, resultText } from './session-labels.ts'

/** Sign-in attempts to the member's account, and their results. */
export default function RecordsPage() {
  const records = useInfiniteQuery(numberedPages(sessions.log, { query: { pageSize: 30 } }))
  return (
    <Page onRefresh={() => records.refetch()}>
      <div className="column stack">
        <RowList>
          <LinkRow to="/pages/set/devices" icon="mobile">
            {m.sessions_devices_title()}
          </LinkRow>
        </RowList>
        <QueryView
          query={records}
          skeleton={<Skeleton rows={6} height={84} label={m.shell_loading()} />}
          isEmpty={({ pages }) => pages[0]?.total === 0}
          empty={
            <Empty icon="history" title={m.sessions_no_records()}>
              {m.sessions_no_records_text()}
            </Empty>
          }
          below={<p className="session-note muted">{m.sessions_records_note()}</p>}
        >
          {({ pages }) => (
            <Card>
              <ul className="session-lines" aria-label={m.sessions_records_title()}>
                {unique(pages.flatMap((page) => page.list)).map((record) => (
                  <RecordLine key={record.id} record={record} />
                ))}
              </ul>
              <ListEnd query={records} />
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** Removes duplicates: a concurrent sign-in shifts the later pages by one. */
const unique = (records: SignInRecord[]) => [
  ...new Map(records.map((record) => [record.id, record])).values(),
]

function RecordLine({ record }: { record: SignInRecord }) {
  const succeeded = record.result === 'ok'
  return (
    <li className="session-line">
      <span className={succeeded ? 'session-icon' : 'session-icon session-icon-failed'}>
        <Icon name={succeeded ? 'check' : 'warning'} />
      </span>
      <div className="session-text">
        <p className="session-name">
          {resultText(record.result)}
          <span className="session-way muted">{methodText(record.way)}</span>
        </p>
        <p className="muted">
          {deviceName(record.device)} · {placeText(record)}
        </p>
        <p className="muted num">
          <time dateTime={record.happenedAt}>{formatDayAndTime(record.happenedAt)}</time>
        </p>
      </div>
    </li>
  )
}
