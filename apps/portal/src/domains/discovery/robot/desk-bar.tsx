import { desk } from '@atrium/contract/discovery/desk'
import { type Dialog, type RobotStatus, robot } from '@atrium/contract/discovery/robot'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Rate } from '#ui/form/rate.tsx'

type DeskBarProps = {
  dialog: Dialog | undefined
  /** an agent has written in the dialog */
  answered: boolean
}

/** Asks for an agent, shows the state of the request, and collects a rating. */
export function DeskBar({ dialog, answered }: DeskBarProps) {
  if (!dialog) return null
  if (dialog.state === 'waiting' || dialog.state === 'agent') return <AtDesk dialog={dialog} />
  return (
    <div className="chat-actions">
      {dialog.state === 'closed' && answered ? <Rating dialog={dialog} /> : null}
      <ToDesk dialogId={dialog.id} />
    </div>
  )
}

const changed = [robot.dialog, robot.dialogs, robot.online]

function ToDesk({ dialogId }: { dialogId: string }) {
  const [choosing, setChoosing] = useState(false)
  const { data } = useQuery(q(robot.online))
  const { mutate, isPending } = useAction(desk.request, { invalidates: changed })
  const [only, ...others] = data?.desks ?? []
  if (!only) return null
  const turn = ({ id }: { id: string }) => mutate({ body: { dialogId, deskId: id } })
  return (
    <>
      <Button
        kind="plain"
        small
        busy={isPending}
        onClick={() => (others.length === 0 ? turn(only) : setChoosing(true))}
      >
        {m.robot_to_desk()}
      </Button>
      <ActionSheet
        open={choosing}
        onClose={() => setChoosing(false)}
        title={m.robot_choose_desk()}
        actions={[only, ...others].map((one) => ({
          icon: 'people',
          label: labelOf(one),
          onSelect: () => turn(one),
        }))}
      />
    </>
  )
}

const labelOf = ({ name, nameEn, open, hours }: RobotStatus['desks'][number]) => {
  const called = inLanguage(name, nameEn)
  return open ? called : m.robot_desk_closed({ name: called, hours })
}

function AtDesk({ dialog }: { dialog: Dialog }) {
  const { mutate, isPending } = useAction(desk.end, { invalidates: changed })
  return (
    <div className="chat-actions">
      <span role="status">
        {dialog.state === 'waiting' ? m.robot_waits() : m.robot_is_served()}
      </span>
      <Button
        kind="plain"
        small
        busy={isPending}
        onClick={() => mutate({ body: { dialogId: dialog.id } })}
      >
        {m.robot_end()}
      </Button>
    </div>
  )
}

function Rating({ dialog: { id, score } }: { dialog: Dialog }) {
  const { mutate } = useAction(robot.comment, {
    invalidates: [robot.dialog],
    done: () => toast(m.robot_rated()),
  })
  return (
    <Rate
      label={m.robot_rate()}
      value={score ?? 0}
      {...(score === null && {
        onValue: (value: number) => mutate({ body: { dialogId: id, score: value } }),
      })}
    />
  )
}
