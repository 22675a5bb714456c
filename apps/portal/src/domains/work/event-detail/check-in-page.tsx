import './check-in.css'
import { type CheckIn, checkIn } from '@atrium/contract/work/appointments'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatDayAndTime, formatNumber, formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'

const path = '/pages/shedul/checkIn'
/** Poll interval of the organiser's screen, in ms. */
const every = 3000

/** Check-in at an event: the organiser shows a code, participants scan or type it. */
export default function CheckInPage() {
  const { id, startsAt } = useSearch(path)
  const one = useQuery({
    ...q(checkIn.read, { params: { id }, query: { ...(startsAt && { startsAt }) } }),
    refetchInterval: ({ state }) => (state.data?.code ? every : false),
  })
  return (
    <Page onRefresh={() => one.refetch()}>
      <div className="column stack">
        <QueryView query={one} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <Card title={<Bilingual zh={data.title} en={data.titleEn} />}>
                <Window details={data} />
              </Card>
              {data.organises ? <Organiser details={data} /> : <Enter details={data} />}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

const isOpen = ({ opensAt, closesAt }: CheckIn) =>
  Date.parse(opensAt) <= Date.now() && Date.now() < Date.parse(closesAt)

/** The period in which check-in is open. */
function Window({ details }: { details: CheckIn }) {
  const { timeZone } = useSystem()
  return (
    <p className="muted num">
      {m.appointments_check_in_window({
        from: formatDayAndTime(details.opensAt, timeZone),
        until: formatDayAndTime(details.closesAt, timeZone),
      })}
    </p>
  )
}

const Closed = () => (
  <Card>
    <Empty icon="clock" title={m.appointments_check_in_closed()}>
      {m.appointments_check_in_closed_hint()}
    </Empty>
  </Card>
)

function Organiser({ details }: { details: CheckIn }) {
  const { id } = useSearch(path)
  const { timeZone } = useSystem()
  const href = hrefOf(path, { id, startsAt: details.startsAt, code: details.code })
  return (
    <>
      {details.code ? (
        <Card>
          <div className="check-in-code">
            <p
              className="check-in-number num"
              role="status"
              aria-label={m.appointments_check_in_code()}
            >
              {details.code.slice(0, 3)}
              <span aria-hidden="true"> </span>
              {details.code.slice(3)}
            </p>
            <div className="check-in-picture">
              <QrCode
                text={new URL(href, location.origin).href}
                label={m.appointments_check_in_scan()}
              />
            </div>
            <p className="muted">{m.appointments_check_in_show()}</p>
          </div>
        </Card>
      ) : (
        <Closed />
      )}
      <Card
        title={m.appointments_check_in_people()}
        aside={
          <span className="num">
            {m.appointments_check_in_count({
              count: formatNumber(details.people.length),
              invited: formatNumber(details.invited),
            })}
          </span>
        }
        flush={details.people.length > 0}
      >
        {details.people.length === 0 ? (
          <p className="muted">{m.appointments_check_in_nobody()}</p>
        ) : (
          <RowList label={m.appointments_check_in_people()}>
            {details.people.map(({ accountName, name, nameEn, at }) => (
              <li key={accountName} className="list-row">
                <RowContent
                  icon="check"
                  value={<span className="num">{formatTime(at, timeZone)}</span>}
                >
                  {inLanguage(name, nameEn)}
                </RowContent>
              </li>
            ))}
          </RowList>
        )}
      </Card>
    </>
  )
}

function Enter({ details }: { details: CheckIn }) {
  const { id, code: scanned } = useSearch(path)
  const { timeZone } = useSystem()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { mutate } = useAction(checkIn.enter, {
    invalidates: [checkIn.read],
    done: () => toast(m.appointments_check_in_done()),
    failed: (problem) => {
      setError(problem.message)
      setCode('')
      return true
    },
  })
  const send = (enteredCode: string) => {
    setError(undefined)
    mutate({ params: { id }, body: { code: enteredCode, startsAt: details.startsAt } })
  }
  // A scanned code is sent once, automatically.
  const first = useRef(scanned)
  const sendScanned = useRef(send)
  sendScanned.current = send
  useEffect(() => {
    if (details.checkedInAt || !first.current) return
    sendScanned.current(first.current)
    first.current = undefined
  }, [details.checkedInAt])
  if (details.checkedInAt)
    return (
      <Card>
        <p className="check-in-done num" role="status">
          <Icon name="check" />
          {m.appointments_check_in_at({ time: formatDayAndTime(details.checkedInAt, timeZone) })}
        </p>
      </Card>
    )
  if (!isOpen(details)) return <Closed />
  return (
    <Card title={m.appointments_check_in_title()}>
      <p className="muted check-in-hint">{m.appointments_check_in_hint()}</p>
      <CodeField
        value={code}
        onValue={setCode}
        onComplete={send}
        length={6}
        label={m.appointments_check_in_code()}
        {...(error !== undefined && { error })}
      />
    </Card>
  )
}
