import { zoneName } from '#domains/work/time-zone/zones.ts'
import { m } from '#paraglide/messages.js'
import { DateField } from '#ui/form/date-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { changeDraft, useDraft } from './draft.ts'
import type { Rights } from './sending-queries.ts'

/** A rate that mail and SMS providers usually accept. */
const usualPace = '600'

/** When a message is sent, and how fast. */
export function TimingFields({ rights }: { rights: Rights }) {
  const { day, time, perMinute } = useDraft()
  const { timeZone, hours } = rights
  return (
    <>
      <Switch
        label={m.sending_later()}
        checked={day !== ''}
        onChange={(on) => changeDraft({ day: on ? tomorrow(timeZone) : '' })}
      />
      {day ? (
        <div className="sending-times">
          <DateField
            label={m.sending_day()}
            value={day}
            onValue={(value) => changeDraft({ day: value })}
            required
          />
          <Field
            label={m.sending_time()}
            type="time"
            value={time}
            onValue={(value) => changeDraft({ time: value })}
            hint={zoneName(timeZone, new Date())}
            required
          />
        </div>
      ) : null}
      <Switch
        label={m.sending_waves()}
        checked={perMinute !== ''}
        onChange={(on) => changeDraft({ perMinute: on ? usualPace : '' })}
      />
      {perMinute ? (
        <Field
          label={m.sending_per_minute()}
          inputMode="numeric"
          value={perMinute}
          onValue={(value) => changeDraft({ perMinute: value.replaceAll(/\D/g, '').slice(0, 6) })}
        />
      ) : null}
      {hours ? <p className="muted num">{m.sending_hours(hours)}</p> : null}
    </>
  )
}

const tomorrow = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + 86_400_000)
