import './login-page.css'
import { type SignIn, type SignInStep, signInSteps } from '@atrium/contract/identity/identity'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { setSession, useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { relaunch } from '#shell/navigation/navigation.ts'
import { homePath, type Path } from '#shell/navigation/screens.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { keepSubscription } from '#shell/push-subscription.ts'
import { sendStoredActions } from '#shell/sign-in/sign-in.ts'
import { SignInPrompt } from '#shell/sign-in/sign-in-prompt.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { AccountList } from './account-list.tsx'
import { SignInStepPanel } from './step-panel.tsx'
import { useStep } from './use-step.ts'

/** Switches to another account of the same person without signing in again. */
export default function ChangeAccountPage() {
  return (
    <Page>
      <div className="column stack">{useSession() ? <OwnAccounts /> : <Visitor />}</div>
    </Page>
  )
}

function OwnAccounts() {
  const accounts = useQuery({ ...q(signInSteps.accounts), staleTime: 0 })
  const [step, setStep] = useState<SignInStep>()
  const done = (answer: SignIn) => {
    if ('due' in answer) return setStep(answer)
    setSession(answer.idToken)
    // It was registered for the session that has ended.
    keepSubscription().catch(() => {})
    toast(m.login_account_changed({ username: answer.username }))
    // Restart every page: data of the other account must not remain.
    relaunch(homePath() as Path)
  }
  const over = (text: string) => {
    setStep(undefined)
    if (text) toast(text)
  }
  const { mutate, isPending } = useStep(signInSteps.accountChoose, { onDone: done, onOver: over })
  const [isLeaving, setIsLeaving] = useState(false)
  const leaveFor = async (accountId: string, cid: string) => {
    setIsLeaving(true)
    // They could not be sent as the other account.
    await sendStoredActions()
    setIsLeaving(false)
    mutate({ body: { accountId, cid } })
  }
  if (step)
    return <SignInStepPanel key={step.state + step.due} step={step} onDone={done} onOver={over} />
  return (
    <QueryView query={accounts} skeleton={<Skeleton rows={3} label={m.shell_loading()} />}>
      {({ accounts: ownAccounts, cid }) => (
        <section className="login-form">
          <h2 className="card-title">{m.login_account_own()}</h2>
          <AccountList
            accounts={ownAccounts}
            busy={isPending || isLeaving}
            onChoose={(accountId) => void leaveFor(accountId, cid)}
          />
          {ownAccounts.length === 1 ? <p className="muted">{m.login_account_single()}</p> : null}
        </section>
      )}
    </QueryView>
  )
}

function Visitor() {
  return (
    <div className="card">
      <SignInPrompt icon="people" title={m.login_account_change()}>
        {m.login_account_visitor()}
      </SignInPrompt>
    </div>
  )
}
