import './calendar-exchange.css'
import { type CalendarImport, calendarExchange } from '@atrium/contract/work/calendar-exchange'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { changedCalendars } from '#domains/work/calendars/calendar-queries.ts'
import { ApiError } from '#lib/api.ts'
import { formatDay as dayName, formatDayAndTime, formatNumber } from '#lib/format.ts'
import { invalidate } from '#lib/queries.ts'
import { uploadFile } from '#lib/send-file.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'

type Seen = { file: File; result: CalendarImport }

/** Imports events from an .ics file, after a preview. */
export default function ImportPage() {
  const [seen, setSeen] = useState<Seen>()
  const [issue, setIssue] = useState('')
  const [busy, setBusy] = useState(false)
  // Only the last chosen file counts; leaving the screen aborts the upload.
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])

  async function send(file: File, dryRun: boolean) {
    sending.current?.abort()
    const controller = new AbortController()
    sending.current = controller
    setBusy(true)
    setIssue('')
    try {
      const result = await uploadFile<CalendarImport>(
        `${calendarExchange.import.path}?dryRun=${dryRun ? '1' : '0'}`,
        file,
        { signal: controller.signal, onProgress: () => {} },
      )
      if (dryRun) return setSeen({ file, result })
      invalidate(...changedCalendars)
      toast(m.calendar_exchange_imported({ count: result.added + result.changed }))
      back()
    } catch (error) {
      if (controller.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      setIssue(error.message)
    } finally {
      if (sending.current === controller) setBusy(false)
    }
  }
  const coming = seen ? seen.result.added + seen.result.changed : 0
  return (
    <Page>
      <div className="column stack">
        <Card>
          <p>{m.calendar_exchange_import_text()}</p>
          <label className="button button-plain button-wide exchange-file">
            <Icon name="calendar" />
            {seen ? m.calendar_exchange_other_file() : m.calendar_exchange_choose_file()}
            <input
              type="file"
              accept=".ics,text/calendar"
              disabled={busy}
              onChange={({ target }) => {
                const file = target.files?.[0]
                setSeen(undefined)
                if (file) void send(file, true)
                // Allows choosing the same file again.
                target.value = ''
              }}
            />
          </label>
          <p className={issue ? 'field-error' : 'muted'} role="status">
            {issue || (busy && !seen ? m.calendar_exchange_reading() : '')}
          </p>
        </Card>
        {seen ? (
          <>
            <Preview name={seen.file.name} result={seen.result} />
            <Button
              wide
              busy={busy}
              disabled={coming === 0}
              onClick={() => void send(seen.file, false)}
            >
              {coming === 0
                ? m.calendar_exchange_nothing_new()
                : m.calendar_exchange_import_count({ count: coming })}
            </Button>
          </>
        ) : null}
      </div>
    </Page>
  )
}

function Preview({ name, result }: { name: string; result: CalendarImport }) {
  const { added, changed, unchanged, leftOut, events, remarks } = result
  const shown = (all: number, rows: readonly unknown[]): ReactNode =>
    all > rows.length ? (
      <p className="muted">{m.calendar_exchange_first({ count: formatNumber(rows.length) })}</p>
    ) : null
  return (
    <>
      <Card title={name}>
        <p className="exchange-counts num">
          {[
            m.calendar_exchange_added({ count: formatNumber(added) }),
            m.calendar_exchange_changed({ count: formatNumber(changed) }),
            m.calendar_exchange_unchanged({ count: formatNumber(unchanged) }),
            m.calendar_exchange_left_out({ count: formatNumber(leftOut) }),
          ].join(' · ')}
        </p>
        <ul className="exchange-list" aria-label={m.calendar_exchange_events()}>
          {events.map((event, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two alike apart, and the list never changes
            <li key={at}>
              <span>{event.title || m.calendar_exchange_untitled()}</span>
              {event.outcome === 'changed' ? <Pill>{m.calendar_exchange_is_changed()}</Pill> : null}
              <span className="muted num">
                {timeOf(event)}
                {event.rrule ? ` · ${m.calendar_exchange_repeats()}` : ''}
              </span>
            </li>
          ))}
        </ul>
        {shown(added + changed, events)}
      </Card>
      {remarks.length > 0 ? (
        <Card title={m.calendar_exchange_remarks()}>
          <ul className="exchange-list">
            {remarks.map(({ line, title, leftOut, message }) => (
              <li key={`${line} ${message}`}>
                <span>{title || m.calendar_exchange_untitled()}</span>
                <Pill tone={leftOut ? 'orange' : 'amber'}>
                  {leftOut ? m.calendar_exchange_is_left_out() : m.calendar_exchange_is_adapted()}
                </Pill>
                <span className="muted">{m.calendar_exchange_line({ line, message })}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  )
}

/** In the event's own zone, as in the file. */
function timeOf({ startsLocal, allDay }: CalendarImport['events'][number]) {
  const moment = `${startsLocal}Z`
  return allDay ? dayName(moment, 'UTC') : formatDayAndTime(moment, 'UTC')
}
