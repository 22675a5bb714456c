import { signInSteps } from '@atrium/contract/identity/identity'
import { lazy, Suspense } from 'react'
import { m } from '#paraglide/messages.js'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { AccountList } from './account-list.tsx'
import { AgreementStep } from './agreement-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { StepHeading } from './step-heading.tsx'
import { type StepProps, useStep } from './use-step.ts'

const SecondFactorStep = lazy(async () => ({
  default: (await import('#domains/identity/second-factor/second-factor-step.tsx'))
    .SecondFactorStep,
}))
const EnrolmentStep = lazy(async () => ({
  default: (await import('#domains/identity/second-factor/enrolment-step.tsx')).EnrolmentStep,
}))

/** The remaining steps between authentication and session, one at a time, with a button to start over. */
export function SignInStepPanel({ step, onDone, onOver }: StepProps) {
  return (
    <section className="login-form">
      <Suspense fallback={<Skeleton rows={3} label={m.shell_loading()} />}>
        <Due step={step} onDone={onDone} onOver={onOver} />
      </Suspense>
      <Button kind="plain" wide onClick={() => onOver('')}>
        {m.login_start_again()}
      </Button>
    </section>
  )
}

function Due({ step, onDone, onOver }: StepProps) {
  switch (step.due) {
    case 'account':
      return <AccountStep step={step} onDone={onDone} onOver={onOver} />
    case 'secondFactor':
      return <SecondFactorStep step={step} onDone={onDone} />
    case 'enrolment':
      return <EnrolmentStep step={step} onDone={onDone} />
    case 'passwordChange':
      return <PasswordStep step={step} onDone={onDone} onOver={onOver} />
    case 'agreement':
      return <AgreementStep step={step} onDone={onDone} onOver={onOver} />
  }
}

function AccountStep({ step, onDone, onOver }: StepProps) {
  const { mutate, isPending } = useStep(signInSteps.accountChoose, { onDone, onOver })
  return (
    <>
      <StepHeading title={m.login_account_title()}>{m.login_account_text()}</StepHeading>
      <AccountList
        accounts={step.accounts}
        busy={isPending}
        onChoose={(accountId) => mutate({ body: { accountId, cid: step.state } })}
      />
    </>
  )
}
