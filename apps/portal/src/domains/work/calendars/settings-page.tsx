import './calendars.css'
import { calendars, type ScheduleSettings } from '@atrium/contract/work/calendars'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { zoneName } from '#domains/work/time-zone/zones.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { useUpdateCalendar } from './calendar-queries.ts'
import { ReminderChoice } from './reminder-choice.tsx'
import { remindersText } from './reminder-text.ts'

/** Defaults for new events, and what others may see. */
export default function SettingsPage() {
  const settings = useScheduleSettings()
  // Wait for the first card's data too: it would push the rest down.
  const { isLoading } = useQuery(q(calendars.own))
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={settings}
          skeleton={<Skeleton rows={4} height={90} label={m.shell_loading()} />}
        >
          {(saved) =>
            isLoading ? (
              <Skeleton rows={4} height={90} label={m.shell_loading()} />
            ) : (
              <Settings saved={saved} />
            )
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Settings({ saved }: { saved: ScheduleSettings }) {
  const { mutate } = useOptimisticAction(calendars.saveSettings, {
    query: q(calendars.settings),
    update: (before, { body }) => ({ ...before, ...body }),
    queue: 'schedule-settings',
  })
  const { reminders, allDayReminders, showBusy, timeZone } = saved
  const [choosing, setChoosing] = useState<'timed' | 'allDay'>()
  const allDay = choosing === 'allDay'
  return (
    <>
      <Card title={m.calendars_settings_new()}>
        <DefaultCalendar />
      </Card>
      <RowList label={m.calendars_reminders()} values="below">
        <li>
          <button type="button" className="list-row" onClick={() => setChoosing('timed')}>
            <RowContent icon="bell" leads value={remindersText(reminders, false)}>
              {m.calendars_reminders_timed()}
            </RowContent>
          </button>
        </li>
        <li>
          <button type="button" className="list-row" onClick={() => setChoosing('allDay')}>
            <RowContent icon="sun" leads value={remindersText(allDayReminders, true)}>
              {m.calendars_reminders_all_day()}
            </RowContent>
          </button>
        </li>
      </RowList>
      <Card>
        <Switch
          label={m.calendars_show_busy()}
          checked={showBusy}
          onChange={(next) => mutate({ body: { showBusy: next } })}
        />
        <p className="muted">{m.calendars_show_busy_text()}</p>
      </Card>
      <RowList values="below">
        <LinkRow to="/pages/shedul/timeArea" icon="globe" value={zoneName(timeZone, new Date())}>
          {m.calendars_zone()}
        </LinkRow>
        <LinkRow to="/pages/shedul/calendList" icon="calendar">
          {m.schedule_calendars()}
        </LinkRow>
      </RowList>
      <Sheet
        open={choosing !== undefined}
        onClose={() => setChoosing(undefined)}
        title={allDay ? m.calendars_reminders_all_day() : m.calendars_reminders_timed()}
      >
        <ReminderChoice
          allDay={allDay}
          chosen={allDay ? allDayReminders : reminders}
          onChoose={(next) =>
            mutate({ body: allDay ? { allDayReminders: next } : { reminders: next } })
          }
        />
      </Sheet>
    </>
  )
}

function DefaultCalendar() {
  const ownCalendars = useQuery(q(calendars.own))
  const { mutate, isPending, variables } = useUpdateCalendar()
  return (
    <QueryView query={ownCalendars} skeleton={<Skeleton height={76} label={m.shell_loading()} />}>
      {(list) => {
        const mine = list.filter((calendar) => calendar.mine)
        const value = isPending ? variables.params.id : mine.find((one) => one.isDefault)?.id
        return mine.length === 0 ? (
          <p className="muted">{m.calendars_default_later()}</p>
        ) : (
          <SelectField
            label={m.calendars_default_field()}
            value={value ?? ''}
            onValue={(id) => mutate({ params: { id }, body: { isDefault: true } })}
          >
            {mine.map(({ id, name, nameEn }) => (
              <option key={id} value={id}>
                {inLanguage(name, nameEn)}
              </option>
            ))}
          </SelectField>
        )
      }}
    </QueryView>
  )
}
