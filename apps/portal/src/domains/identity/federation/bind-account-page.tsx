import { LoginHead } from '#domains/identity/login/login-head.tsx'
import '#domains/identity/login/login-page.css'
import './bind-account-page.css'
import { type FederatedUser, federation } from '@atrium/contract/identity/federation'
import type { SignIn, SignInStep } from '@atrium/contract/identity/identity'
import { useEffect, useRef, useState } from 'react'
import { leaveLogin } from '#domains/identity/login/arrival.ts'
import { SignInStepPanel } from '#domains/identity/login/step-panel.tsx'
import { call } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { inLanguage } from '#lib/language.ts'
import { setSession, useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { hrefOf, performNavigation } from '#shell/navigation/navigation.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { PageLoading } from '#shell/page/page-states.tsx'
import { safeTarget, signInCentrally } from '#shell/sign-in/sign-in.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { isCompleted, markCompleted, problemText, readArrival } from './arrival.ts'
import { startAddress } from './begin.ts'
import { BindForm } from './bind-form.tsx'
import { LinkLogin, linksPage } from './link-login.tsx'

/** The event recorded for signing in through an external login. */
function eventOf(provider: string) {
  if (environment.isWeCom) return 'workWeChatLogin'
  return environment.isWeChat || provider === 'weixinminiprogram' ? 'weChartLogin' : 'h5Login'
}

/**
 * The page an external login returns to: signs in members who have bound it, asks others once to prove their identity,
 * and shows errors.
 */
export default function BindAccountPage() {
  const { returnTarget } = useSearch('/pages/login/bindAccount')
  const [arrival] = useState(readArrival)
  const [user, setUser] = useState<FederatedUser>()
  const [step, setStep] = useState<SignInStep>()
  const [problem, setProblem] = useState(() =>
    arrival.problem ? problemText(arrival.problem) : '',
  )
  const [done, setDone] = useState(isCompleted)
  const signedIn = useSession() !== null
  const provider = useRef(arrival.provider)
  // A member who came from the sign-in settings wants to bind this login, not to sign in again.
  const [links] = useState(signedIn && returnTarget === linksPage && !arrival.onwards)

  const handleSignIn = (answer: SignIn) => {
    if ('due' in answer) return setStep(answer)
    markCompleted()
    setDone(true)
    setSession(answer.idToken)
    recordEvent(eventOf(provider.current))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what came along
  useEffect(() => {
    if (done || arrival.problem) return
    const { nonce } = arrival
    const arrive = async () => {
      const account = await call(federation.userInfo, { query: { nonce } })
      provider.current = account.provider
      if (links || !account.bound) return setUser(account)
      handleSignIn(await call(federation.login, { body: { nonce } }))
    }
    arrive().catch((error) => {
      recordFailedSignIn(eventOf(provider.current), error)
      setProblem(error.message)
    })
  }, [])
  useEffect(() => {
    if (done && signedIn) leaveLogin(returnTarget, arrival.onwards)
  }, [done, signedIn, returnTarget, arrival])

  if (!problem && !step && !user) return <PageLoading />
  if (done && signedIn) return <PageLoading />
  const retry = () =>
    arrival.provider
      ? leaveTo(startAddress(arrival.provider, returnTarget))
      : signInCentrally(safeTarget(returnTarget))
  const startAgain = (text: string) => {
    setStep(undefined)
    setUser(undefined)
    setProblem(text || m.federation_given_up())
  }
  return (
    <Page>
      <div className="column login">
        <LoginHead />
        {step ? (
          <SignInStepPanel
            key={step.state + step.due}
            step={step}
            onDone={handleSignIn}
            onOver={startAgain}
          />
        ) : user && links ? (
          <LinkLogin user={user} onOver={startAgain} />
        ) : user ? (
          <BindForm user={user} onDone={handleSignIn} onOver={startAgain} />
        ) : (
          <section className="login-form federation-problem">
            <Icon name="warning" />
            <h2 className="card-title">
              {links ? m.federation_link_problem() : m.federation_problem()}
            </h2>
            <p role="alert">{problem}</p>
            <Button wide onClick={retry}>
              {m.federation_again()}
            </Button>
            {links ? (
              <Button kind="plain" wide onClick={() => performNavigation('redirect', linksPage)}>
                {m.federation_link_back()}
              </Button>
            ) : (
              <Button
                kind="plain"
                wide
                onClick={() =>
                  performNavigation('redirect', hrefOf('/pages/login/login', { returnTarget }))
                }
              >
                {m.federation_other_way()}
              </Button>
            )}
          </section>
        )}
        {user && !step ? (
          <p className="federation-note muted">
            {m.federation_bind_note({
              provider: inLanguage(user.providerName, user.providerNameEn),
            })}
          </p>
        ) : null}
      </div>
    </Page>
  )
}
