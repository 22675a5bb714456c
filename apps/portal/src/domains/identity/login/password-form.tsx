import { usernameMax } from '@atrium/contract/define'
import type { SignIn } from '@atrium/contract/identity/identity'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '#lib/api.ts'
import { recordFailedSignIn } from '#lib/events.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'
import { useCountdown } from '#ui/form/seconds-to.ts'
import { readArrival, withArrival } from './arrival.ts'
import { useIssueFocus } from './issue-focus.ts'
import { signInByPassword, useLoginConfigs } from './login-queries.ts'
import { Problem } from './problem.tsx'

type Issues = { text: string; fields: Record<string, string> }

/** Username and password. */
export function PasswordForm({ onDone }: { onDone: (answer: SignIn) => void }) {
  const { returnTarget } = useSearch('/pages/login/login')
  const [arrival] = useState(readArrival)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [issues, setIssues] = useState<Issues>()
  const form = useIssueFocus(issues)
  const [checking, setChecking] = useState(false)
  const [seconds, wait] = useCountdown()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      signInByPassword({ username: username.trim(), password }, () => setChecking(true)),
    onSuccess: onDone,
    onError(error) {
      const apiError = error instanceof ApiError ? error : undefined
      recordFailedSignIn('accoutLogin', error)
      setIssues({ text: error.message, fields: apiError?.fields ?? {} })
      if (apiError) wait(apiError.retryAfter)
    },
    onSettled: () => setChecking(false),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = {
      ...(!username.trim() && { username: m.login_username_missing() }),
      ...(!password && { password: m.login_password_missing() }),
    }
    const missing = Object.keys(fields).length > 0
    setIssues(missing ? { text: '', fields } : undefined)
    if (!missing) mutate()
  }
  const fill = (name: string, secret: string) => {
    setUsername(name)
    setPassword(secret)
    setIssues(undefined)
  }
  const words = () => {
    if (seconds > 0) return m.login_wait({ seconds })
    return checking ? m.login_checking() : m.login_submit()
  }
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
      <Problem text={issues?.text ?? ''} />
      <Field
        label={m.login_username()}
        name="username"
        value={username}
        onValue={setUsername}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={usernameMax}
        error={issues?.fields.username}
      />
      <PasswordField
        label={m.login_password()}
        name="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        error={issues?.fields.password}
      />
      <Button type="submit" wide busy={isPending} disabled={seconds > 0}>
        {words()}
      </Button>
      <p className="login-forgotten">
        <HrefLink href={withArrival(hrefOf('/pages/login/forgotten', { returnTarget }), arrival)}>
          {m.login_forgotten()}
        </HrefLink>
        <HrefLink href={withArrival(hrefOf('/pages/login/activate', { returnTarget }), arrival)}>
          {m.login_activate()}
        </HrefLink>
      </p>
      <DemoAccounts onChoose={fill} />
    </form>
  )
}
/** Only the demo institution publishes its accounts. */
function DemoAccounts({ onChoose }: { onChoose: (username: string, password: string) => void }) {
  const accounts = useLoginConfigs().data?.demoAccounts ?? []
  if (accounts.length === 0) return null
  return (
    <fieldset className="login-demo">
      <legend>{m.login_demo()}</legend>
      {accounts.map(({ username, name, nameEn, password }) => (
        <button key={username} type="button" onClick={() => onChoose(username, password)}>
          {inLanguage(name, nameEn)} <span className="muted">{username}</span>
        </button>
      ))}
    </fieldset>
  )
}
