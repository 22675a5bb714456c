import './calendars.css'
import '#ui/form/switch.css'
import '#domains/work/schedule/event-row.css'
import type { Calendar } from '@atrium/contract/work/calendars'
import { calendars } from '@atrium/contract/work/calendars'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { groupCalendars } from './calendar-groups.ts'
import { changedCalendars, useCalendars, useShowCalendar } from './calendar-queries.ts'

/** The calendars shown in the schedule, and the public ones that can be added. */
export default function CalendarsPage() {
  const query = useCalendars()
  return (
    <Page
      onRefresh={() => query.refetch()}
      actions={
        <IconButton
          label={m.calendars_new_title()}
          onClick={() => navigate('/pages/shedul/creatCalendar')}
        >
          <Icon name="plus" />
        </IconButton>
      }
    >
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={150} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="calendar" title={m.schedule_no_calendars()}>
              {m.schedule_no_calendars_text()}
            </Empty>
          }
          below={
            <RowList>
              <LinkRow to="/pages/shedul/calendarOrder" icon="swap">
                {m.calendars_order_title()}
              </LinkRow>
              <LinkRow to="/pages/shedul/calendarSubscriptions" icon="globe">
                {m.calendar_exchange_subscriptions()}
              </LinkRow>
              <LinkRow to="/pages/shedul/importCalendar" icon="download">
                {m.calendar_exchange_import()}
              </LinkRow>
              <LinkRow to="/pages/shedul/phoneCalendar" icon="mobile">
                {m.caldav_title()}
              </LinkRow>
              <LinkRow to="/pages/shedul/calendarFeeds" icon="link">
                {m.calendar_exchange_feeds()}
              </LinkRow>
              <LinkRow to="/pages/shedul/shedulSet" icon="gear">
                {m.calendars_settings_title()}
              </LinkRow>
            </RowList>
          }
        >
          {(list) => <Groups list={list} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Groups({ list }: { list: readonly Calendar[] }) {
  return groupCalendars(list).map(({ name, calendars }) => (
    <Card key={name} title={name}>
      <ul>
        {calendars.map((calendar) => (
          <CalendarRow key={calendar.id} calendar={calendar} />
        ))}
      </ul>
    </Card>
  ))
}

function CalendarRow({ calendar }: { calendar: Calendar }) {
  const { id, name, nameEn, color, owner, isDefault, optional, subscribed } = calendar
  const shownName = inLanguage(name, nameEn)
  return (
    <li className={`calendar-row event-${color}`}>
      <Link className="calendar-name" to="/pages/shedul/calendarDetail" search={{ id }}>
        <span className="calendar-swatch" />
        <span className="calendar-words">
          <span>{shownName}</span>
          {owner ? <span className="muted">{owner}</span> : null}
        </span>
        {isDefault ? <Pill>{m.calendars_default()}</Pill> : null}
      </Link>
      {optional && !subscribed ? (
        <SubscribeButton calendar={calendar} />
      ) : (
        <ShownSwitch calendar={calendar} label={m.calendars_show({ name: shownName })} />
      )}
    </li>
  )
}

/** The row shows the name, so the switch has it for screen readers only. */
function ShownSwitch({ calendar, label }: { calendar: Calendar; label: string }) {
  const { mutate, isPending, variables } = useShowCalendar()
  const shown = isPending ? variables.body?.shown === true : calendar.shown
  return (
    <label className="calendar-switch switch">
      <span className="unseen">{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={shown}
        checked={shown}
        onChange={(event) =>
          mutate({ params: { id: calendar.id }, body: { shown: event.target.checked } })
        }
      />
    </label>
  )
}

/** Adds a public calendar to the schedule. */
export function SubscribeButton({ calendar: { id } }: { calendar: Calendar }) {
  const subscribe = useAction(calendars.subscribe, { invalidates: changedCalendars })
  return (
    <Button
      kind="plain"
      small
      busy={subscribe.isPending}
      onClick={() => subscribe.mutate({ params: { id } })}
    >
      {m.calendars_subscribe()}
    </Button>
  )
}
