import './scan-login.css'
import type { SignIn } from '@atrium/contract/identity/identity'
import { scanLogin, type scanStates } from '@atrium/contract/identity/scan-login'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'

const pollInterval = 1500

type StartedLogin = { url: string; number: string }
type State = (typeof scanStates)[number]

/** A QR code that a phone scans to sign this computer in. Created on a tap, so that a page left open shows none. */
export function ScanSignIn({ onDone }: { onDone: (answer: SignIn) => void }) {
  const [started, setStarted] = useState<StartedLogin>()
  const [state, setState] = useState<State>('waiting')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  const start = async () => {
    setBusy(true)
    setProblem('')
    try {
      setStarted(await call(scanLogin.begin))
      setState('waiting')
    } catch (error) {
      setProblem((error as Error).message)
    }
    setBusy(false)
  }
  const finish = useEffectEvent(async () => {
    try {
      onDone(await call(scanLogin.finish))
    } catch (error) {
      setState('over')
      setProblem((error as Error).message)
    }
  })
  const isPending = started !== undefined && (state === 'waiting' || state === 'scanned')
  useEffect(() => {
    if (!isPending) return
    let timer: ReturnType<typeof setTimeout>
    const abort = new AbortController()
    const poll = async () => {
      try {
        const next = await call(scanLogin.state, undefined, abort.signal)
        setState(next.state)
        if (next.state === 'confirmed') return void finish()
      } catch (error) {
        if (abort.signal.aborted) return
        // Poll again after a short network failure.
        if (!(error instanceof ApiError)) throw error
      }
      timer = setTimeout(poll, pollInterval)
    }
    timer = setTimeout(poll, pollInterval)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [isPending])

  if (!started)
    return (
      <>
        <Button kind="plain" wide busy={busy} onClick={start}>
          <Icon name="scan" />
          {m.scan_login_title()}
        </Button>
        {problem ? <p role="alert">{problem}</p> : null}
      </>
    )
  return (
    <section className="scan-sign-in" aria-label={m.scan_login_title()}>
      {isPending ? (
        <>
          {state === 'waiting' ? <QrCode text={started.url} label={m.scan_login_code()} /> : null}
          <p role="status">
            {state === 'waiting' ? m.scan_login_how() : m.scan_login_confirm_on_phone()}
          </p>
          <p className="scan-sign-in-number num">
            {m.scan_login_number({ number: started.number })}
          </p>
        </>
      ) : (
        <>
          <p role="status">
            {problem ||
              (state === 'refused'
                ? m.scan_login_refused_there()
                : state === 'over'
                  ? m.scan_login_expired()
                  : '')}
          </p>
          <Button kind="plain" busy={busy || state === 'confirmed'} onClick={start}>
            {m.scan_login_again()}
          </Button>
        </>
      )}
    </section>
  )
}
