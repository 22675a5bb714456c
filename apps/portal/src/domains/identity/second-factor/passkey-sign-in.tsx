import './second-factor.css'
import type { SignIn } from '@atrium/contract/identity/identity'
import { factorSignIn } from '@atrium/contract/identity/second-factor'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { recordFailedSignIn } from '#lib/events.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { canUsePasskeys, passkeyProblem, requestPasskey } from './browser-passkeys.ts'
import { Problem } from './problem.tsx'

/** Milliseconds; a challenge is valid for five minutes. */
const renewInterval = 4 * 60_000

/**
 * Signs in with a passkey: by its button, and as autofill of the username field if the browser supports it and the
 * field's `autoComplete` ends in `webauthn`. Renders nothing without passkey support.
 */
export function PasskeySignIn({ onDone }: { onDone: (answer: SignIn) => void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  // Pressing the button ends the autofill offer; afterwards a new one is started.
  const [promptCount, setPromptCount] = useState(0)

  const signIn = async (offered: boolean) => {
    const { key, options } = await call(factorSignIn.passkeyOptions)
    const assertion = await requestPasskey(options, offered)
    setBusy(true)
    setProblem('')
    const answer = call(factorSignIn.passkeyLogin, { body: { key, assertion } })
    answer.catch((failure) => recordFailedSignIn('passkeyLogin', failure))
    onDone(await answer)
  }
  const press = async () => {
    setBusy(true)
    setProblem('')
    await signIn(false).catch((error) => setProblem(passkeyProblem(error)))
    setBusy(false)
    setPromptCount(promptCount + 1)
  }
  const offer = useEffectEvent(() =>
    signIn(true)
      .catch((error) => {
        // Nobody is waiting for the offer, so most failures are silent.
        if (error instanceof ApiError && error.status === 403) setProblem(error.message)
      })
      .finally(() => setBusy(false)),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time the button has asked
  useEffect(() => {
    let timer: ReturnType<typeof setInterval>
    let isUnmounted = false
    const startOffer = async () => {
      if (!canUsePasskeys() || !(await browserSupportsWebAuthnAutofill())) return
      if (isUnmounted || !document.querySelector("input[autocomplete$='webauthn']")) return
      void offer()
      timer = setInterval(() => void offer(), renewInterval)
    }
    void startOffer()
    return () => {
      isUnmounted = true
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [promptCount])

  if (!canUsePasskeys()) return null
  return (
    <div className="factor-sign-in">
      <Button kind="plain" wide busy={busy} onClick={() => void press()}>
        <Icon name="key" />
        {m.second_factor_passkey_sign_in()}
      </Button>
      <Problem text={problem} />
    </div>
  )
}
