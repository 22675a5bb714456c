import './calendars.css'
import { maxReminders } from '@atrium/contract/work/calendars'
import { m } from '#paraglide/messages.js'
import { RowList } from '#ui/list-row.tsx'
import { reminderName } from './reminder-text.ts'

const offered = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10_080]
/** Minutes before midnight: at nine on the day, the evening before, at nine on earlier days. */
const offeredAllDay = [-540, 240, 900, 2340, 9540]

type ReminderChoiceProps = {
  allDay: boolean
  chosen: readonly number[]
  onChoose: (reminders: number[]) => void
}

/** Chooses reminders for an event. */
export function ReminderChoice({ allDay, chosen, onChoose }: ReminderChoiceProps) {
  const all = [...new Set([...(allDay ? offeredAllDay : offered), ...chosen])]
  const full = chosen.length >= maxReminders
  return (
    <>
      <RowList label={m.calendars_reminders()}>
        {all
          .sort((one, other) => one - other)
          .map((minutes) => {
            const on = chosen.includes(minutes)
            return (
              <li key={minutes} className="calendar-choice">
                <label>
                  <input
                    type="checkbox"
                    checked={on}
                    disabled={full && !on}
                    onChange={() =>
                      onChoose(
                        on
                          ? chosen.filter((one) => one !== minutes)
                          : [...chosen, minutes].sort((one, other) => one - other),
                      )
                    }
                  />
                  <span className="num">{reminderName(minutes, allDay)}</span>
                </label>
              </li>
            )
          })}
      </RowList>
      {full ? <p className="muted">{m.calendars_reminders_full({ count: maxReminders })}</p> : null}
    </>
  )
}
