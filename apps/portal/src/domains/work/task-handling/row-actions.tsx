import type { TaskAction, TaskLine } from '@atrium/contract/work/tasks'
import { useEffect, useRef } from 'react'
import { OutboxLine } from '#shell/page/outbox-line.tsx'
import { useHandling } from './handling.tsx'
import { RowButtons } from './row-buttons.tsx'
import { useWaitingAction } from './waiting-actions.ts'

type RowActionsProps = {
  task: TaskLine
  /** Chosen before this component had loaded; performed immediately. */
  first?: TaskAction | undefined
}

/** The actions of a task in its row, followed by undo. */
export function RowActions({ task, first }: RowActionsProps) {
  const { act, dialog } = useHandling(task)
  const waiting = useWaitingAction(task.id)
  const chosen = useRef(first)
  useEffect(() => {
    if (chosen.current) act(chosen.current)
    chosen.current = undefined
  })
  return (
    <>
      {waiting ? <OutboxLine entry={waiting} /> : <RowButtons task={task} onAct={act} />}
      {dialog}
    </>
  )
}
