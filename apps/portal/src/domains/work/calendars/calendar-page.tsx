import './calendars.css'
import '#domains/work/schedule/event-row.css'
import { type CalendarDetail, calendars } from '@atrium/contract/work/calendars'
import { useState } from 'react'
import { formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { back, navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Pill } from '#ui/pill.tsx'
import {
  changedCalendars,
  useCalendar,
  useShowCalendar,
  useUpdateCalendar,
} from './calendar-queries.ts'
import { SubscribeButton } from './calendars-page.tsx'
import { accessName } from './shares.tsx'

/** One calendar: its owner, what it shows, and with whom it is shared. */
export default function CalendarPage() {
  const { id } = useSearch('/pages/shedul/calendarDetail')
  const calendar = useCalendar(id)
  return (
    <Page onRefresh={() => calendar.refetch()}>
      <div className="column stack">
        <QueryView query={calendar} skeleton={<Skeleton height={300} label={m.shell_loading()} />}>
          {(detail) => <Detail detail={detail} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Detail({ detail }: { detail: CalendarDetail }) {
  const { calendar, events, shares } = detail
  const { id, name, nameEn, color, owner, access, mine, isDefault, optional, subscribed } = calendar
  const show = useShowCalendar()
  const shown = show.isPending ? show.variables.body?.shown === true : calendar.shown
  const update = useUpdateCalendar(() => toast(m.calendars_default_set()))
  return (
    <>
      <Card>
        <div className={`calendar-head event-${color}`}>
          <span className="calendar-swatch" />
          <h2>{inLanguage(name, nameEn)}</h2>
          {isDefault ? <Pill>{m.calendars_default()}</Pill> : null}
        </div>
        <p className="muted">
          <Facts
            of={[
              owner && m.calendars_owner({ name: owner }),
              !mine && access !== 'own' && owner && accessName(access),
              m.calendars_events({ count: formatNumber(events) }),
            ]}
          />
        </p>
        {optional && !subscribed ? (
          <SubscribeButton calendar={calendar} />
        ) : (
          <Switch
            label={m.calendars_shown()}
            checked={shown}
            onChange={(next) => show.mutate({ params: { id }, body: { shown: next } })}
          />
        )}
      </Card>
      {shares.length > 0 ? (
        <Card title={m.calendars_shared_with()}>
          <ul>
            {shares.map((share) => (
              <li key={share.accountName} className="calendar-share">
                <span>{inLanguage(share.name, share.nameEn)}</span>
                <span className="muted">{accessName(share.access)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <div className="calendar-actions">
        {mine ? (
          <Button wide onClick={() => navigate('/pages/shedul/editCalendar', { id })}>
            {m.calendars_edit()}
          </Button>
        ) : null}
        {access === 'own' && mine && !isDefault ? (
          <Button
            kind="plain"
            wide
            busy={update.isPending}
            onClick={() => update.mutate({ params: { id }, body: { isDefault: true } })}
          >
            {m.calendars_make_default()}
          </Button>
        ) : null}
        {optional && subscribed ? <Unsubscribe id={id} /> : null}
        {calendar.removable ? <Remove detail={detail} /> : null}
      </div>
    </>
  )
}

function Unsubscribe({ id }: { id: string }) {
  const { mutate, isPending } = useAction(calendars.unsubscribe, { invalidates: changedCalendars })
  return (
    <Button kind="plain" wide busy={isPending} onClick={() => mutate({ params: { id } })}>
      {m.calendars_unsubscribe()}
    </Button>
  )
}

/** Deletes the member's own calendar with its events, or leaves a shared one. */
function Remove({ detail: { calendar, events } }: { detail: CalendarDetail }) {
  const { id, mine, name, nameEn } = calendar
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(calendars.remove, {
    invalidates: changedCalendars,
    done() {
      toast(mine ? m.calendars_removed() : m.calendars_left())
      back()
    },
    failed() {
      setIsConfirming(false)
      return false
    },
  })
  const close = () => setIsConfirming(false)
  const word = mine ? m.calendars_remove() : m.calendars_leave()
  return (
    <>
      <Button kind="danger" wide onClick={() => setIsConfirming(true)}>
        {word}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={close}
        title={m.calendars_remove_ask({ name: inLanguage(name, nameEn), what: word })}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.schedule_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
              {word}
            </Button>
          </>
        }
      >
        {mine ? m.calendars_remove_text({ count: formatNumber(events) }) : m.calendars_leave_text()}
      </Dialog>
    </>
  )
}
