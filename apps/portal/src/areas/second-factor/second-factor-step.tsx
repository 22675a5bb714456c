import './second-factor.css'
import '#ui/button.css'
import type { SignIn, SignInStep } from '@atrium/contract/identity'
import { type Factor, factorSignIn } from '@atrium/contract/second-factor'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type ApiError, call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/action.ts'
import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { Field } from '#ui/field.tsx'
import { askPasskey, canUsePasskeys, passkeyProblem } from './browser-passkeys.ts'
import { useCountdown } from './countdown.ts'
import { Problem } from './problem.tsx'

type StepProps = { step: SignInStep; onDone: (answer: SignIn) => void }

/** After the password: a code of the app, a passkey or a recovery code. The first one there is comes first. */
export function SecondFactorStep({ step, onDone }: StepProps) {
  const offered = step.factors.filter((factor) => factor !== 'passkey' || canUsePasskeys())
  const [factor, setFactor] = useState<Factor>(offered[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [seconds, setSeconds] = useCountdown()
  const [asking, setAsking] = useState(false)
  const heading = useFocused()
  const { mutate, isPending } = useAction(factorSignIn.mfa, {
    done: onDone,
    failed(error: ApiError) {
      setProblem(error.message)
      setSeconds(error.retryAfter)
      setCode('')
      return true
    },
  })
  const { state } = step
  const give = (given: string) => {
    if (given.trim().length < 6) return setProblem(m.second_factor_code_missing())
    setProblem('')
    mutate({ body: { state, code: given } })
  }
  const givePasskey = async () => {
    setProblem('')
    setAsking(true)
    try {
      const options = await call(factorSignIn.mfaOptions, { body: { state } })
      mutate({ body: { state, assertion: await askPasskey(options) } })
    } catch (error) {
      setProblem(passkeyProblem(error))
    } finally {
      setAsking(false)
    }
  }
  const choose = (next: Factor) => {
    setFactor(next)
    setCode('')
    setProblem('')
    heading.current?.focus()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (factor === 'passkey') void givePasskey()
    else give(code)
  }
  return (
    <section className="factor-step">
      <h2 className="factor-title" ref={heading} tabIndex={-1}>
        {m.second_factor_title()}
      </h2>
      <p className="factor-text">{hints[factor]()}</p>
      <form className="factor-form" onSubmit={submit} noValidate>
        <Problem text={problem} />
        {factor === 'totp' ? <CodeField value={code} onValue={setCode} onComplete={give} /> : null}
        {factor === 'recovery' ? (
          <Field
            label={m.second_factor_recovery_code()}
            name="recovery-code"
            value={code}
            onValue={setCode}
            placeholder="xxxx-xxxx-xxxx"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
          />
        ) : null}
        <Button type="submit" wide busy={isPending || asking} disabled={seconds > 0}>
          {seconds > 0
            ? m.second_factor_wait({ seconds })
            : factor === 'passkey'
              ? m.second_factor_use_passkey()
              : m.second_factor_verify()}
        </Button>
      </form>
      {offered.length > 1 ? (
        <div className="factor-others">
          <p className="muted">{m.second_factor_other_way()}</p>
          {offered
            .filter((other) => other !== factor)
            .map((other) => (
              <Button key={other} kind="plain" wide onClick={() => choose(other)}>
                {names[other]()}
              </Button>
            ))}
        </div>
      ) : null}
    </section>
  )
}

const names: Record<Factor, () => string> = {
  totp: m.second_factor_use_totp,
  passkey: m.second_factor_use_passkey,
  recovery: m.second_factor_use_recovery,
}
const hints: Record<Factor, () => string> = {
  totp: m.second_factor_totp_hint,
  passkey: m.second_factor_passkey_hint,
  recovery: m.second_factor_recovery_hint,
}

/** A heading that takes the focus when its step comes up. */
export function useFocused() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
