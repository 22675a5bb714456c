import type { Task } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { dayAndClock } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { ActionSheet, type SheetAction } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { GroupSheet } from './group-sheet.tsx'
import { useSnooze } from './use-handle.ts'

/** What can be done with a task besides handling it. */
export function TaskMenu({ task }: { task: Task }) {
  const [open, setOpen] = useState<'menu' | 'snooze' | 'group'>()
  const close = () => setOpen(undefined)
  const snooze = useSnooze(({ snoozedUntil }) =>
    toast(
      snoozedUntil
        ? m.tasks_snoozed_until({ time: dayAndClock(snoozedUntil) })
        : m.tasks_snooze_over(),
    ),
  )
  const until = (time: string | null) => {
    close()
    snooze.mutate({ params: { id: task.id }, body: { until: time } })
  }
  const later: SheetAction = task.snoozedUntil
    ? { icon: 'refresh', label: m.tasks_snooze_end(), onSelect: () => until(null) }
    : { icon: 'clock', label: m.tasks_snooze(), onSelect: () => setOpen('snooze') }
  return (
    <>
      <IconButton label={m.tasks_actions_more()} onClick={() => setOpen('menu')}>
        <Icon name="more" />
      </IconButton>
      <ActionSheet
        open={open === 'menu'}
        onClose={close}
        title={task.title}
        actions={[
          ...(task.waits ? [later] : []),
          { icon: 'all', label: m.tasks_group_move(), onSelect: () => setOpen('group') },
        ]}
      />
      <ActionSheet
        open={open === 'snooze'}
        onClose={close}
        title={m.tasks_snooze()}
        actions={times().map(({ label, at }) => ({
          icon: 'clock',
          label: `${label} · ${dayAndClock(at)}`,
          onSelect: () => until(at.toISOString()),
        }))}
      />
      {open === 'group' ? <GroupSheet task={task} onClose={close} /> : null}
    </>
  )
}

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
