import { scopes } from '@atrium/contract/work/appointments'
import { type ReactNode, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { Choice, Choices } from './choices.tsx'

export type Scope = (typeof scopes)[number]

type ScopeDialogProps = {
  open: boolean
  title: string
  /** the action performed */
  confirm: { label: string; kind?: 'danger' }
  /** Why a single occurrence cannot be chosen; empty if it can. */
  onlySeries?: string
  busy: boolean
  onClose: () => void
  onChoose: (scope: Scope) => void
  /** The changes. */
  children?: ReactNode
}

/** For a series: this occurrence, this and the following ones, or all. */
export function ScopeDialog(props: ScopeDialogProps) {
  const { open, title, confirm, onlySeries, busy, onClose, onChoose, children } = props
  const offered = scopes.filter((scope) => !(onlySeries && scope === 'this'))
  const [chosen, setChosen] = useState<Scope>()
  const scope = chosen && offered.includes(chosen) ? chosen : (offered[0] ?? 'all')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.schedule_cancel()}
          </Button>
          <Button kind={confirm.kind ?? 'primary'} busy={busy} onClick={() => onChoose(scope)}>
            {confirm.label}
          </Button>
        </>
      }
    >
      {children}
      <Choices label={m.appointments_scope()}>
        {offered.map((one) => (
          <Choice key={one} checked={scope === one} onChoose={() => setChosen(one)}>
            {scopeName(one)}
          </Choice>
        ))}
      </Choices>
      {onlySeries ? <p className="muted">{onlySeries}</p> : null}
    </Dialog>
  )
}

function scopeName(scope: Scope) {
  switch (scope) {
    case 'this':
      return m.appointments_scope_this()
    case 'following':
      return m.appointments_scope_following()
    case 'all':
      return m.appointments_scope_all()
  }
}
