import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { lazy, Suspense, useState } from 'react'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { withdrawFromOutbox } from '#shell/outbox.ts'
import { ActionSheet, type SheetAction } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import type { SwipeAction } from '#ui/swipe-row.tsx'
import { actionName } from './action-name.ts'
import { useHandling } from './handling.tsx'
import { useSnooze } from './handling-queries.ts'
import { snoozeTimes } from './snooze-times.ts'
import { useWaitingAction } from './waiting-actions.ts'

const GroupSheet = lazy(() =>
  import('#domains/work/task-groups/group-sheet.tsx').then(({ GroupSheet }) => ({
    default: GroupSheet,
  })),
)

type TaskMenuOptions = {
  /** The task waits for the member. */
  waits: boolean
  /** The menu also contains the task's own actions. */
  handles?: boolean
}

/** The actions for a task: its own, snoozing and its group. The caller must render `sheets`. */
export function useTaskMenu(task: TaskLine, { waits, handles = false }: TaskMenuOptions) {
  const [sheet, setSheet] = useState<'menu' | 'snooze' | 'group'>()
  const close = () => setSheet(undefined)
  const { act, choose, dialog } = useHandling(task)
  const waiting = useWaitingAction(task.id)
  const isWaiting = waiting !== undefined && !waiting.refusal
  const snooze = useSnooze(({ snoozedUntil }) =>
    toast(
      snoozedUntil
        ? m.tasks_snoozed_until({ time: formatDayAndTime(snoozedUntil) })
        : m.tasks_snooze_over(),
      { label: m.tasks_undo(), run: () => until(task.snoozedUntil) },
    ),
  )
  const until = (time: string | null) =>
    snooze.mutate({ params: { id: task.id }, body: { until: time } })
  const later: SwipeAction = task.snoozedUntil
    ? { icon: 'refresh', label: m.tasks_snooze_end(), onSelect: () => until(null) }
    : { icon: 'clock', label: m.tasks_snooze(), onSelect: () => setSheet('snooze') }
  const undo: SwipeAction | undefined = isWaiting
    ? {
        icon: 'back',
        label: m.shell_outbox_undo(),
        onSelect: () => void withdrawFromOutbox(waiting.key),
      }
    : undefined
  const main = task.actions.find(({ tone }) => tone === 'primary') ?? task.actions[0]
  return {
    act,
    open: () => setSheet('menu'),
    /** The two most used actions. */
    swipes: [...(undo ? [undo] : main ? [rowOfAction(main, act)] : []), ...(waits ? [later] : [])],
    sheets: (
      <>
        <ActionSheet
          open={sheet === 'menu'}
          onClose={close}
          title={inLanguage(task.title, task.titleEn)}
          actions={[
            ...(undo ? [undo] : []),
            ...(handles && !undo ? task.actions.map((action) => rowOfAction(action, choose)) : []),
            ...(waits ? [later] : []),
            { icon: 'all', label: m.tasks_group_move(), onSelect: () => setSheet('group') },
          ]}
        />
        <ActionSheet
          open={sheet === 'snooze'}
          onClose={close}
          title={m.tasks_snooze()}
          actions={snoozeTimes().map(({ label, at }) => ({
            icon: 'clock',
            label: `${label} · ${formatDayAndTime(at)}`,
            onSelect: () => until(at.toISOString()),
          }))}
        />
        {sheet === 'group' ? (
          <Suspense>
            <GroupSheet task={task} onClose={close} />
          </Suspense>
        ) : null}
        {dialog}
      </>
    ),
  }
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
