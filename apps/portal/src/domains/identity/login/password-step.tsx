import { signInSteps } from '@atrium/contract/identity/identity'
import { type SubmitEvent, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { NewPasswordField } from '#ui/form/new-password-field.tsx'
import { StepHeading } from './step-heading.tsx'
import { type StepProps, useStep } from './use-step.ts'

/** Requires a new password, because someone else set the current one or it is too old. */
export function PasswordStep({ step, onDone, onOver }: StepProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useStep(signInSteps.passwordChange, { onDone, onOver }, (error) => {
    const issue = error.fields?.newPassword
    if (issue) setProblem(issue)
    return Boolean(issue)
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!password) return setProblem(m.login_password_missing())
    setProblem(undefined)
    mutate({ body: { state: step.state, newPassword: password } })
  }
  return (
    <form className="login-step" onSubmit={submit} noValidate>
      <StepHeading title={m.login_new_password_title()}>{m.login_new_password_text()}</StepHeading>
      <NewPasswordField value={password} onValue={setPassword} error={problem} />
      <Button type="submit" wide busy={isPending}>
        {m.login_new_password_submit()}
      </Button>
    </form>
  )
}
