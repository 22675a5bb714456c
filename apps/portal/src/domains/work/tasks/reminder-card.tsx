import { remindBefore, taskSettings } from '@atrium/contract/work/task-settings'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'

export const useReminders = () => useQuery(q(taskSettings.overdue))

/**
 * The member's reminders for to-dos.
 * @param below rendered together with the content
 */
export function ReminderCard({ below }: { below: ReactNode }) {
  const query = useReminders()
  const set = useOptimisticAction(taskSettings.setOverdue, {
    query: q(taskSettings.overdue),
    update: (_, { body }) => body,
    queue: 'task-reminders',
  })
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton height={160} label={m.shell_loading()} />}
      below={below}
    >
      {(value) => (
        <Card title={m.tasks_reminders()}>
          <SelectField
            label={m.tasks_remind_before()}
            value={String(value.beforeMinutes)}
            onValue={(next) => {
              const beforeMinutes = remindBefore.find((minutes) => String(minutes) === next) ?? 0
              set.mutate({ body: { ...value, beforeMinutes } })
            }}
          >
            {remindBefore.map((minutes) => (
              <option key={minutes} value={minutes}>
                {beforeName(minutes)}
              </option>
            ))}
          </SelectField>
          <Switch
            label={m.tasks_remind_overdue()}
            checked={value.overdue}
            onChange={(overdue) => set.mutate({ body: { ...value, overdue } })}
          />
        </Card>
      )}
    </QueryView>
  )
}

function beforeName(minutes: number) {
  if (minutes === 0) return m.tasks_remind_never()
  return minutes < 1440
    ? m.tasks_remind_hours({ count: minutes / 60 })
    : m.tasks_remind_days({ count: minutes / 1440 })
}
