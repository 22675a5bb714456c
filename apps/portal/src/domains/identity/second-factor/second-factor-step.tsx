import type { SignIn, SignInStep } from '@atrium/contract/identity/identity'
import { factorSignIn } from '@atrium/contract/identity/second-factor'
import { useState } from 'react'
import { call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { useCountdown } from '#ui/form/seconds-to.ts'
import { FactorForm } from './factor-form.tsx'
import { useFocused } from './use-focused.ts'

type StepProps = { step: SignInStep; onDone: (answer: SignIn) => void }

/** Asks for the second factor during sign-in. */
export function SecondFactorStep({ step: { state, factors }, onDone }: StepProps) {
  const [problem, setProblem] = useState('')
  const [wait, setWait] = useCountdown()
  const heading = useFocused()
  const { mutate, isPending } = useAction(factorSignIn.mfa, {
    done: onDone,
    failed(error) {
      setProblem(error.message)
      setWait(error.retryAfter)
      return true
    },
  })
  return (
    <section className="factor-step">
      <h2 className="factor-title" ref={heading} tabIndex={-1}>
        {m.second_factor_title()}
      </h2>
      <FactorForm
        factors={factors}
        options={() => call(factorSignIn.mfaOptions, { body: { state } })}
        onProof={(given) => mutate({ body: { state, ...given } })}
        busy={isPending}
        problem={isPending ? '' : problem}
        wait={wait}
      />
    </section>
  )
}
