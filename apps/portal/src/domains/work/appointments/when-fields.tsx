import { maxEventDays } from '@atrium/contract/work/appointments'
import { timeZones } from '@atrium/rules/time-zones'
import { useState } from 'react'
import { offsetOf, zoneName } from '#domains/work/time-zone/zones.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { type Content, changeDraft, minutesOf, moveStart } from './appointment-draft.ts'

const maxMinutes = maxEventDays * 1440
export const isTimed = (content: Content) => {
  const minutes = minutesOf(content)
  return content.firstDay !== '' && minutes > 0 && minutes <= maxMinutes
}

/** Start and end, and the zone if it differs from the schedule's. */
export function WhenFields({ content, zone }: { content: Content; zone: string }) {
  const { allDay, firstDay, lastDay, starts, ends } = content
  const minutes = minutesOf(content)
  const problem =
    minutes > maxMinutes
      ? m.appointments_too_long({ days: maxEventDays })
      : minutes <= 0
        ? m.schedule_add_ends_early()
        : ''
  return (
    <div className="appointment-fields">
      <Switch
        label={m.schedule_add_all_day()}
        checked={allDay}
        onChange={(whole) => changeDraft({ allDay: whole, reminders: null })}
      />
      <div className="appointment-pair">
        <Field
          type="date"
          label={m.appointments_first_day()}
          value={firstDay}
          onValue={(day) => changeDraft(moveStart(content, { firstDay: day }))}
          required
        />
        {allDay ? null : (
          <Field
            type="time"
            label={m.schedule_add_starts()}
            value={starts}
            onValue={(time) => changeDraft(moveStart(content, { starts: time }))}
            required
          />
        )}
      </div>
      <div className="appointment-pair">
        <Field
          type="date"
          label={m.appointments_last_day()}
          value={lastDay}
          min={firstDay}
          onValue={(day) => changeDraft({ lastDay: day && day < firstDay ? firstDay : day })}
          {...(allDay && { error: problem })}
          required
        />
        {allDay ? null : (
          <Field
            type="time"
            label={m.schedule_add_ends()}
            value={ends}
            onValue={(time) => changeDraft({ ends: time })}
            error={problem}
            required
          />
        )}
      </div>
      {allDay ? null : <ZoneField content={content} zone={zone} />}
    </div>
  )
}

function ZoneField({ content, zone }: { content: Content; zone: string }) {
  const { timeZone, firstDay } = content
  const [open, setOpen] = useState(timeZone !== zone)
  const moment = new Date(`${firstDay || '2026-01-01'}T12:00:00Z`)
  if (!open)
    return (
      <p className="appointment-zone muted">
        {m.schedule_add_zone({ zone: zoneName(timeZone, moment) })}
        <Button kind="plain" small onClick={() => setOpen(true)}>
          {m.appointments_other_zone()}
        </Button>
      </p>
    )
  const isListed = timeZones.some(({ value }) => value === timeZone)
  return (
    <SelectField
      label={m.schedule_zone_title()}
      value={timeZone}
      onValue={(next) => changeDraft({ timeZone: next })}
      note={
        timeZone === zone ? null : (
          <p className="muted">
            {m.appointments_zone_differs({
              zone: `${zoneName(zone, moment)} (${offsetOf(zone, moment)})`,
            })}
          </p>
        )
      }
    >
      {isListed ? null : <option value={timeZone}>{timeZone}</option>}
      {timeZones.map(({ value, name, nameEn }) => (
        <option key={value} value={value}>
          {inLanguage(name, nameEn)}
        </option>
      ))}
    </SelectField>
  )
}
