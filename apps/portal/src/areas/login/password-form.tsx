import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useLoginConfigs, usePasswordLogin } from './login-queries.ts'

type Problem = { text: string; fields: Record<string, string> }

/** Username and password. */
export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [seconds, setSeconds] = useCountdown()
  const { mutate, isPending } = usePasswordLogin((error: ApiError) => {
    setProblem({ text: error.message, fields: error.fields ?? {} })
    setSeconds(error.retryAfter)
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = {
      ...(!username.trim() && { username: m.login_username_missing() }),
      ...(!password && { password: m.login_password_missing() }),
    }
    const [first] = Object.keys(fields)
    setProblem(first ? { text: '', fields } : undefined)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    else mutate({ body: { username: username.trim(), password } })
  }
  const fill = (name: string, secret: string) => {
    setUsername(name)
    setPassword(secret)
    setProblem(undefined)
  }
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
      {problem?.text ? (
        <p className="login-problem" role="alert">
          <Icon name="warning" />
          {problem.text}
        </p>
      ) : null}
      <Field
        label={m.login_username()}
        name="username"
        value={username}
        onValue={setUsername}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        error={problem?.fields.username}
      />
      <div className="login-password">
        <Field
          label={m.login_password()}
          name="password"
          type={shown ? 'text' : 'password'}
          value={password}
          onValue={setPassword}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          error={problem?.fields.password}
        />
        <IconButton
          label={shown ? m.login_hide() : m.login_show()}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </IconButton>
      </div>
      <Button type="submit" wide busy={isPending} disabled={seconds > 0}>
        {seconds > 0 ? m.login_wait({ seconds }) : m.login_submit()}
      </Button>
      <DemoAccounts onChoose={fill} />
    </form>
  )
}

/** Only the demo institution tells its accounts. */
function DemoAccounts({ onChoose }: { onChoose: (username: string, password: string) => void }) {
  const accounts = useLoginConfigs().data?.demoAccounts ?? []
  if (accounts.length === 0) return null
  return (
    <fieldset className="login-demo">
      <legend>{m.login_demo()}</legend>
      {accounts.map(({ username, name, password }) => (
        <button key={username} type="button" onClick={() => onChoose(username, password)}>
          {name} <span className="muted">{username}</span>
        </button>
      ))}
    </fieldset>
  )
}

/** Seconds left, counting down by themselves. */
function useCountdown() {
  const [seconds, setSeconds] = useState(0)
  const running = seconds > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), 1000)
    return () => clearInterval(timer)
  }, [running])
  return [seconds, setSeconds] as const
}
