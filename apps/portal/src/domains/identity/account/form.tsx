import './account.css'
import { type ReactNode, type SubmitEvent, useEffect } from 'react'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { useCountdown } from '#ui/form/seconds-to.ts'
import { Icon } from '#ui/media/icon.tsx'

type FormProps = {
  /** The purpose of the form, in one sentence. */
  intro?: ReactNode
  /** Error message, announced immediately. */
  problem?: string
  submit: string
  busy: boolean
  /** Seconds until another attempt is allowed. */
  wait?: number
  danger?: boolean
  onSubmit: () => void
  children?: ReactNode
  /** Alternatives, shown below. */
  after?: ReactNode
}

/** A white card with fields and one button. */
export function Form(props: FormProps) {
  const { intro, problem, submit, busy, onSubmit, children, after } = props
  const [seconds, wait] = useCountdown()
  useEffect(() => wait(props.wait ?? 0), [props.wait, wait])
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <>
      <form className="account-form" onSubmit={send} noValidate>
        {intro ? <p className="account-intro">{intro}</p> : null}
        {problem ? (
          <p className="account-problem" role="alert">
            <Icon name="warning" />
            {problem}
          </p>
        ) : null}
        {children}
        <Button type="submit" wide busy={busy} disabled={seconds > 0}>
          {seconds > 0 ? m.account_wait({ seconds }) : submit}
        </Button>
      </form>
      {after ? <div className="account-after">{after}</div> : null}
    </>
  )
}
