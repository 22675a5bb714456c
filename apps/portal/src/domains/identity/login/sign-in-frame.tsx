import './login-page.css'
import { type SignIn, type SignInStep, signInSteps } from '@atrium/contract/identity/identity'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { call } from '#lib/api.ts'
import { recordEvent } from '#lib/events.ts'
import { setSession, useSession } from '#lib/session.ts'
import { type StoredValues, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { PageLoading } from '#shell/page/page-states.tsx'
import { clearArrival, leaveLogin, readArrival } from './arrival.ts'
import { LoginHead } from './login-head.tsx'
import { useLoginConfigs } from './login-queries.ts'
import { OtherMethods } from './other-methods.tsx'
import { Problem } from './problem.tsx'
import { SignInStepPanel } from './step-panel.tsx'

const events = {
  password: 'accoutLogin',
  sms: 'mobilePhoneLogin',
  passkey: 'passkeyLogin',
} as const
const eventOf = (method: StoredValues['loginWay']) =>
  method in events ? events[method as keyof typeof events] : 'h5Login'

type FrameProps = {
  /** The sign-in method of this page. */
  method: StoredValues['loginWay']
  /** The form. It passes on the server's answer. */
  children: (done: (answer: SignIn, by?: StoredValues['loginWay']) => void) => ReactNode
}

/**
 * A sign-in page around the form of one method: the institution, remaining steps after authentication, the other
 * methods. Once signed in, it is replaced by the wanted page.
 */
export function SignInFrame({ method, children }: FrameProps) {
  const { returnTarget } = useSearch('/pages/login/login')
  const [arrival] = useState(readArrival)
  const [waiting, setWaiting] = useState(arrival.state !== '')
  const [step, setStep] = useState<SignInStep>()
  const [problem, setProblem] = useState('')
  const signedIn = useSession() !== null
  const configs = useLoginConfigs()

  // The remaining steps belong to the method that the sign-in began with.
  const startedWith = useRef(method)
  const handleAnswer = useCallback((answer: SignIn, by = startedWith.current) => {
    startedWith.current = by
    setProblem('')
    write('loginWay', by)
    if ('due' in answer) return setStep(answer)
    setStep(undefined)
    setSession(answer.idToken)
    recordEvent(eventOf(by))
  }, [])
  const startAgain = useCallback(
    (text: string) => {
      startedWith.current = method
      setStep(undefined)
      setProblem(text)
    },
    [method],
  )
  useEffect(() => {
    clearArrival()
    if (!arrival.state) return
    call(signInSteps.step, { body: { state: arrival.state } })
      .then(
        (answer) => handleAnswer(answer),
        (error) => setProblem(error.message),
      )
      .finally(() => setWaiting(false))
  }, [arrival, handleAnswer])
  // Also when the user returns with the browser's own buttons, so that this page is never in the way.
  useEffect(() => {
    if (signedIn && !waiting && !step) leaveLogin(returnTarget, arrival.onwards)
  }, [signedIn, waiting, step, returnTarget, arrival])

  if (waiting) return <PageLoading />
  return (
    <Page>
      <div className="column login">
        <LoginHead />
        {step ? (
          <SignInStepPanel
            key={step.state + step.due}
            step={step}
            onDone={handleAnswer}
            onOver={startAgain}
          />
        ) : (
          <>
            <Problem text={problem} />
            {children(handleAnswer)}
            <div className={configs.isPending ? 'login-unsettled' : undefined}>
              <OtherMethods method={method} returnTarget={returnTarget} onDone={handleAnswer} />
              <p className="login-texts">
                {m.login_agree()}
                <Link to="/pages/login/userAgreement">{m.login_agreement()}</Link>
                {m.login_and()}
                <Link to="/pages/login/userPrivacy">{m.login_privacy()}</Link>
              </p>
            </div>
          </>
        )}
      </div>
    </Page>
  )
}
