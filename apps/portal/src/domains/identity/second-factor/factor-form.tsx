import './second-factor.css'
import type { Assertion, Factor } from '@atrium/contract/identity/second-factor'
import { type SubmitEvent, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { canUsePasskeys, passkeyProblem, requestPasskey } from './browser-passkeys.ts'
import { Problem } from './problem.tsx'

type FactorFormProps = {
  /** The available factors; the first supported one is preselected. */
  factors: readonly Factor[]
  /** The options for asking the browser for a passkey. */
  options: () => Promise<Record<string, unknown>>
  onProof: (given: { code?: string; assertion?: Assertion }) => void
  busy: boolean
  /** Error message. */
  problem: string
  /** Seconds until another attempt. */
  wait: number
}

/** Asks for an app's code, a passkey or a recovery code. */
export function FactorForm({ factors, options, onProof, busy, problem, wait }: FactorFormProps) {
  const offered = factors.filter((factor) => factor !== 'passkey' || canUsePasskeys())
  const [factor, setFactor] = useState<Factor>(offered[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [issue, setIssue] = useState('')
  const [isPrompting, setIsPrompting] = useState(false)
  const hint = useRef<HTMLParagraphElement>(null)

  const submitCode = (given: string) => {
    if (wait > 0) return
    if (given.trim().length < 6) return setIssue(m.second_factor_code_missing())
    setIssue('')
    if (factor === 'totp') setCode('')
    onProof({ code: given })
  }
  const submitPasskey = async () => {
    setIssue('')
    setIsPrompting(true)
    try {
      onProof({ assertion: await requestPasskey(await options()) })
    } catch (error) {
      setIssue(passkeyProblem(error))
    }
    setIsPrompting(false)
  }
  const choose = (next: Factor) => {
    setFactor(next)
    setCode('')
    setIssue('')
    hint.current?.focus()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (factor === 'passkey') void submitPasskey()
    else submitCode(code)
  }
  return (
    <>
      <p className="factor-text factor-hint" ref={hint} tabIndex={-1}>
        {hints[factor]()}
      </p>
      <form className="factor-form" onSubmit={submit} noValidate>
        <Problem text={issue || problem} />
        {factor === 'totp' ? (
          <CodeField value={code} onValue={setCode} onComplete={submitCode} />
        ) : null}
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
        <Button type="submit" wide busy={busy || isPrompting} disabled={wait > 0}>
          {wait > 0
            ? m.second_factor_wait({ seconds: wait })
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
    </>
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
