import type { AttentionSettings } from '@atrium/contract/work/notifications'
import { getLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'

type PartProps = { value: AttentionSettings; onChange: (value: AttentionSettings) => void }

/** When the member wants to be notified. Urgent messages are sent at any time. */
export function AttentionCard({ value, onChange }: PartProps) {
  return (
    <Card title={m.notifications_when()}>
      <div className="notify-fields">
        <QuietHours value={value} onChange={onChange} />
        <DaysOff value={value} onChange={onChange} />
        <Digest value={value} onChange={onChange} />
        <SelectField
          label={m.notifications_limit()}
          value={String(value.maxPerHour)}
          onValue={(next) => onChange({ ...value, maxPerHour: Number(next) })}
        >
          <option value="0">{m.notifications_limit_none()}</option>
          {[1, 2, 4, 8].map((count) => (
            <option key={count} value={count}>
              {m.notifications_limit_count({ count })}
            </option>
          ))}
        </SelectField>
        <p className="muted">{m.notifications_urgent_text()}</p>
      </div>
    </Card>
  )
}

const night = { quietFrom: '22:30', quietUntil: '07:00' }

function QuietHours({ value, onChange }: PartProps) {
  const { quietFrom, quietUntil } = value
  const on = quietFrom !== null && quietUntil !== null
  return (
    <>
      <Switch
        label={m.notifications_quiet()}
        checked={on}
        onChange={(isOn) =>
          onChange({ ...value, ...(isOn ? night : { quietFrom: null, quietUntil: null }) })
        }
      />
      {on ? (
        <div className="notify-times">
          <Field
            type="time"
            label={m.notifications_quiet_from()}
            value={quietFrom}
            onValue={(time) => time && onChange({ ...value, quietFrom: time })}
          />
          <Field
            type="time"
            label={m.notifications_quiet_until()}
            value={quietUntil}
            onValue={(time) => time && onChange({ ...value, quietUntil: time })}
          />
        </div>
      ) : null}
    </>
  )
}

/** Name of a weekday, from 1 (Monday) to 7 (Sunday). */
function dayName(day: number, weekday: 'long' | 'narrow') {
  const locale = getLanguage() === 'zh' ? 'zh-CN' : 'en'
  // 2026-11-23 is a Monday.
  const date = new Date(Date.UTC(2026, 10, 22 + day))
  return new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(date)
}
const days = [1, 2, 3, 4, 5, 6, 7]

function DaysOff({ value, onChange }: PartProps) {
  const { daysOff } = value
  const toggle = (day: number) =>
    onChange({
      ...value,
      daysOff: daysOff.includes(day) ? daysOff.filter((one) => one !== day) : [...daysOff, day],
    })
  return (
    <fieldset className="notify-days">
      <legend>{m.notifications_days_off()}</legend>
      {days.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            aria-label={dayName(day, 'long')}
            checked={daysOff.includes(day)}
            disabled={daysOff.length === 6 && !daysOff.includes(day)}
            onChange={() => toggle(day)}
          />
          <span aria-hidden="true">{dayName(day, 'narrow')}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Digest({ value, onChange }: PartProps) {
  const { digest, digestAt, digestDay } = value
  return (
    <>
      <SelectField
        label={m.notifications_digest()}
        value={digest}
        onValue={(next) => onChange({ ...value, digest: next as AttentionSettings['digest'] })}
      >
        <option value="none">{m.notifications_digest_none()}</option>
        <option value="daily">{m.notifications_digest_daily()}</option>
        <option value="weekly">{m.notifications_digest_weekly()}</option>
      </SelectField>
      {digest === 'none' ? null : (
        <div className="notify-times">
          {digest === 'weekly' ? (
            <SelectField
              label={m.notifications_digest_day()}
              value={String(digestDay)}
              onValue={(day) => onChange({ ...value, digestDay: Number(day) })}
            >
              {days.map((day) => (
                <option key={day} value={day}>
                  {dayName(day, 'long')}
                </option>
              ))}
            </SelectField>
          ) : null}
          <Field
            type="time"
            label={m.notifications_digest_at()}
            value={digestAt}
            onValue={(time) => time && onChange({ ...value, digestAt: time })}
          />
        </div>
      )}
    </>
  )
}
