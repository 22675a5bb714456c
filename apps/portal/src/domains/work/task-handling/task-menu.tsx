import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { GroupSheet } from '#domains/work/task-groups/group-sheet.tsx'
import { dayAndClock } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { ActionSheet, type SheetAction } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { actionName } from './action-name.ts'
import { useHandling } from './handling.tsx'
import { useSnooze } from './handling-queries.ts'

type TaskMenuProps = {
  task: TaskLine
  /** It waits for the member. */
  waits: boolean
  open: boolean
  onClose: () => void
  /** Its own actions stand in the menu too. */
  handles?: boolean
}

/** What can be done with a task: its actions, putting it off, its group. */
export function TaskMenu({ task, waits, open, onClose, handles = false }: TaskMenuProps) {
  const [sheet, setSheet] = useState<'snooze' | 'group'>()
  const closeSheet = () => setSheet(undefined)
  const { choose, dialog } = useHandling(task)
  const snooze = useSnooze(({ snoozedUntil }) =>
    toast(
      snoozedUntil
        ? m.tasks_snoozed_until({ time: dayAndClock(snoozedUntil) })
        : m.tasks_snooze_over(),
    ),
  )
  const until = (time: string | null) =>
    snooze.mutate({ params: { id: task.id }, body: { until: time } })
  const later: SheetAction = task.snoozedUntil
    ? { icon: 'refresh', label: m.tasks_snooze_end(), onSelect: () => until(null) }
    : { icon: 'clock', label: m.tasks_snooze(), onSelect: () => setSheet('snooze') }
  return (
    <>
      <ActionSheet
        open={open}
        onClose={onClose}
        title={task.title}
        actions={[
          ...(handles ? task.actions.map((action) => rowOfAction(action, choose)) : []),
          ...(waits ? [later] : []),
          { icon: 'all', label: m.tasks_group_move(), onSelect: () => setSheet('group') },
        ]}
      />
      <ActionSheet
        open={sheet === 'snooze'}
        onClose={closeSheet}
        title={m.tasks_snooze()}
        actions={times().map(({ label, at }) => ({
          icon: 'clock',
          label: `${label} · ${dayAndClock(at)}`,
          onSelect: () => until(at.toISOString()),
        }))}
      />
      {sheet === 'group' ? <GroupSheet task={task} onClose={closeSheet} /> : null}
      {dialog}
    </>
  )
}

/** An action of a task as a row of a menu. */
export const rowOfAction = (
  action: TaskAction,
  choose: (action: TaskAction) => void,
): SheetAction => ({
  icon: action.tone === 'primary' ? 'check' : 'edit',
  label: actionName(action),
  danger: action.tone === 'danger',
  onSelect: () => choose(action),
})

const mondays = 1
/** Times to put something off to, by the clock of this device. */
function times(now = new Date()) {
  const morning = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 8)
  const toMonday = (mondays - now.getDay() + 7) % 7 || 7
  return [
    { label: m.tasks_snooze_hour(), at: new Date(now.getTime() + 3_600_000) },
    { label: m.tasks_snooze_tomorrow(), at: morning(1) },
    { label: m.tasks_snooze_monday(), at: morning(toMonday) },
    { label: m.tasks_snooze_week(), at: morning(7) },
  ]
}
