import './todos.css'
import { maxTodoReminders } from '@atrium/contract/work/todos'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { reminderName } from './labels.ts'
import { changeDraft, useDraft } from './todo-draft.ts'

const offered = [0, 5, 15, 30, 60, 120, 1440, 2880, 10_080]

/** Chooses reminders before a to-do is due. */
export default function RemindersPage() {
  const { reminders, day } = useDraft()
  const all = [...new Set([...offered, ...reminders])].sort((one, other) => one - other)
  const full = reminders.length >= maxTodoReminders
  return (
    <Page>
      <div className="column stack">
        {day ? null : <p className="todo-hint">{m.todos_reminders_need_day()}</p>}
        <RowList label={m.todos_reminders_title()}>
          {all.map((minutes) => {
            const chosen = reminders.includes(minutes)
            return (
              <li key={minutes} className="todo-choice">
                <label>
                  <input
                    type="checkbox"
                    checked={chosen}
                    disabled={!day || (full && !chosen)}
                    onChange={() =>
                      changeDraft({
                        reminders: chosen
                          ? reminders.filter((one) => one !== minutes)
                          : [...reminders, minutes].sort((one, other) => one - other),
                      })
                    }
                  />
                  <span className="num">{reminderName(minutes)}</span>
                </label>
              </li>
            )
          })}
        </RowList>
        {full ? (
          <p className="muted">{m.todos_reminders_full({ count: maxTodoReminders })}</p>
        ) : null}
        <Button wide onClick={() => back()}>
          {m.todos_choose_done()}
        </Button>
      </div>
    </Page>
  )
}
