import './second-factor.css'
import type { SignIn, SignInStep } from '@atrium/contract/identity/identity'
import { factorSignIn, type TotpEnrolment } from '@atrium/contract/identity/second-factor'
import { useEffect, useState } from 'react'
import { call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { canUsePasskeys, createPasskey, deviceName, passkeyProblem } from './browser-passkeys.ts'
import { Problem } from './problem.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

import { TotpSetup } from './totp-setup.tsx'
import { useFocused } from './use-focused.ts'

type FactorAdded = { recoveryCodes: string[]; next: SignIn }

/** Sets up a required second factor before the session starts. */
export function EnrolmentStep({
  step: { state },
  onDone,
}: {
  step: SignInStep
  onDone: (answer: SignIn) => void
}) {
  const [setup, setSetup] = useState<TotpEnrolment>()
  const [added, setAdded] = useState<FactorAdded>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const heading = useFocused()
  // Focus the heading again when another part of the step is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown decides, not what is read
  useEffect(() => heading.current?.focus(), [setup, added, heading])

  const run = async (work: () => Promise<void>) => {
    setProblem('')
    setBusy(true)
    await work().catch((error) => setProblem(passkeyProblem(error)))
    setBusy(false)
  }
  const settle = (answer: FactorAdded) => {
    if (answer.recoveryCodes.length > 0) setAdded(answer)
    else onDone(answer.next)
  }
  const beginTotp = () =>
    run(async () => setSetup(await call(factorSignIn.beginTotp, { body: { state } })))
  const submitCode = (code: string) =>
    run(async () => {
      if (!setup) return
      const { enrolment } = setup
      settle(await call(factorSignIn.addTotp, { body: { state, enrolment, code } }))
    })
  const addPasskey = () =>
    run(async () => {
      const options = await call(factorSignIn.beginPasskey, { body: { state } })
      const credential = await createPasskey(options)
      settle(
        await call(factorSignIn.addPasskey, { body: { state, credential, name: deviceName() } }),
      )
    })

  return (
    <section className="factor-step">
      <h2 className="factor-title" ref={heading} tabIndex={-1}>
        {added
          ? m.second_factor_codes()
          : setup
            ? m.second_factor_totp()
            : m.second_factor_enrol_title()}
      </h2>
      {added ? (
        <RecoveryCodes codes={added.recoveryCodes} onSaved={() => onDone(added.next)} />
      ) : setup ? (
        <>
          <TotpSetup
            setup={setup}
            busy={busy}
            problem={problem}
            onCode={(code) => void submitCode(code)}
          />
          <Button kind="plain" wide onClick={() => setSetup(undefined)}>
            {m.second_factor_other_way()}
          </Button>
        </>
      ) : (
        <>
          <p className="factor-text">{m.second_factor_enrol_text()}</p>
          <Problem text={problem} />
          {canUsePasskeys() ? (
            <div className="factor-choice">
              <h3>{m.second_factor_passkey()}</h3>
              <p className="muted">{m.second_factor_passkey_text()}</p>
              <Button wide busy={busy} onClick={() => void addPasskey()}>
                {m.second_factor_passkey_add()}
              </Button>
            </div>
          ) : null}
          <div className="factor-choice">
            <h3>{m.second_factor_totp()}</h3>
            <p className="muted">{m.second_factor_totp_text()}</p>
            <Button kind="plain" wide busy={busy} onClick={() => void beginTotp()}>
              {m.second_factor_totp_add()}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
