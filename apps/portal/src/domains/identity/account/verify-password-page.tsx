import { account } from '@atrium/contract/identity/account'
import { type Factor, secondFactor } from '@atrium/contract/identity/second-factor'
import { useState } from 'react'
import { solveCaptcha } from '#domains/identity/login/captcha.ts'
import {
  canUsePasskeys,
  passkeyProblem,
  requestPasskey,
} from '#domains/identity/second-factor/browser-passkeys.ts'
import { ApiError, call } from '#lib/api.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { useChange, useSecurity } from './account-queries.ts'
import { Form } from './form.tsx'
import { continueTo, type NextPage, overviewPath } from './screens.ts'

/** Confirms the member's identity again before a sensitive change. */
export default function VerifyPasswordPage() {
  const onwards = useSearch('/pages/modifyPwd/verfityPwd')
  const security = useSecurity()
  return (
    <Page>
      <div className="column account-page">
        <QueryView query={security} skeleton={<Skeleton height={260} label={m.shell_loading()} />}>
          {({ password, factors }) =>
            password.set ? <Confirm onwards={onwards} factors={factors} /> : <WithoutPassword />
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Confirm({ onwards, factors }: { onwards: NextPage; factors: readonly Factor[] }) {
  const session = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [byPasskey, setByPasskey] = useState(
    factors.includes('passkey') && !factors.includes('totp') && canUsePasskeys(),
  )
  const [isPrompting, setIsPrompting] = useState(false)
  const [issue, setIssue] = useState('')
  const [problem, setProblem] = useState('')
  const [wait, setWait] = useState(0)
  const { mutateAsync, isPending } = useChange(account.confirm, {
    done: () => continueTo(onwards, overviewPath),
    failed(error) {
      // The captcha is solved without the user's involvement.
      if (error.code === 'login.captcha_due') return true
      setCode('')
      if (error.code === 'account.password_wrong') setIssue(error.message)
      else setProblem(error.message)
      setWait(error.retryAfter)
      return true
    },
  })
  const submit = () => {
    setProblem('')
    setIssue(password ? '' : m.account_password_missing())
    const codeMissing = factors.length > 0 && !byPasskey && code.trim().length < 6
    if (codeMissing) setProblem(m.account_factor_missing())
    if (password && !codeMissing) void send()
  }
  const send = async (captcha?: string) => {
    setIsPrompting(true)
    try {
      const assertion =
        factors.length > 0 && byPasskey
          ? await requestPasskey(await call(secondFactor.confirmOptions))
          : undefined
      const byCode = factors.length > 0 && !byPasskey
      await mutateAsync({
        body: {
          password,
          ...(byCode && { code }),
          ...(assertion && { assertion }),
          ...(captcha && { captcha }),
        },
      })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'login.captcha_due' && !captcha)
        return send(await solveCaptcha())
      // The server's error message is already shown.
      if (!(error instanceof ApiError)) setProblem(passkeyProblem(error))
    } finally {
      setIsPrompting(false)
    }
  }
  return (
    <Form
      intro={m.account_confirm_intro()}
      problem={problem}
      wait={wait}
      submit={m.account_next()}
      busy={isPending || isPrompting}
      onSubmit={submit}
      after={
        factors.includes('passkey') && factors.length > 1 && canUsePasskeys() ? (
          <button type="button" className="account-link" onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? m.account_by_code() : m.account_by_passkey()}
          </button>
        ) : undefined
      }
    >
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={session?.username ?? ''}
        readOnly
        hidden
      />
      <PasswordField
        label={m.account_password()}
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={issue || undefined}
      />
      {factors.length > 0 && !byPasskey ? (
        <Field
          label={factors.includes('totp') ? m.account_totp_code() : m.account_recovery_code()}
          name="code"
          value={code}
          onValue={setCode}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          hint={m.account_recovery_hint()}
        />
      ) : null}
      {factors.length > 0 && byPasskey ? <p className="muted">{m.account_passkey_next()}</p> : null}
    </Form>
  )
}

/** Members without a password confirm by signing in again. */
const WithoutPassword = () => (
  <Card>
    <div className="account-form-inside">
      <p className="account-intro">{m.account_no_password()}</p>
      <Button wide onClick={() => signIn()}>
        {m.account_sign_in_again()}
      </Button>
    </div>
  </Card>
)
