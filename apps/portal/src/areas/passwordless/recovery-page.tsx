import '#areas/login/login-page.css'
import './recovery-page.css'
import { activation, forgotten } from '@atrium/contract/passwordless'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useContext, useState } from 'react'
import { PasswordField } from '#areas/login/password-field.tsx'
import { Problem } from '#areas/login/problem.tsx'
import { StepHeading } from '#areas/login/step-heading.tsx'
import { ApiError, call } from '#lib/api.ts'
import { m } from '#paraglide/messages.js'
import { go } from '#shell/navigation.ts'
import { Page } from '#shell/page.tsx'
import { PageContext } from '#shell/page-context.ts'
import { Button } from '#ui/button.tsx'
import { CodeButton } from '#ui/code-button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { Field } from '#ui/field.tsx'
import { sendAndWait, waits } from './ask-code.ts'

type Kind = 'mobile' | 'email'
type Known = { state: string; contacts: { kind: Kind; masked: string }[] }

/** A new password by a code: who, where the code goes, the code, the password. */
export default function RecoveryPage() {
  const { path } = useContext(PageContext)
  const activating = path === '/pages/login/activate'
  const steps = activating ? activation : forgotten
  const [known, setKnown] = useState<Known>()
  const [username, setUsername] = useState<string>()
  const [done, setDone] = useState(false)
  return (
    <Page>
      <div className="column login">
        {done ? (
          <section className="login-form">
            <StepHeading title={m.passwordless_done()}>
              {activating ? m.passwordless_activated_text() : m.passwordless_changed_text()}
            </StepHeading>
            <Button wide onClick={() => go('redirect', '/pages/login/pwdLogin')}>
              {m.passwordless_to_sign_in()}
            </Button>
          </section>
        ) : known && username !== undefined ? (
          <NewPassword
            username={username}
            onSubmit={(newPassword) =>
              call(steps.finish, { body: { state: known.state, newPassword } })
            }
            onDone={() => setDone(true)}
          />
        ) : known ? (
          <CodeStep
            known={known}
            send={(kind, captcha) =>
              call(steps.send, { body: { state: known.state, kind, ...(captcha && { captcha }) } })
            }
            check={(kind, code) => call(steps.check, { body: { state: known.state, kind, code } })}
            onDone={(answer) => setUsername(answer.username)}
            onBack={() => setKnown(undefined)}
          />
        ) : (
          <Who
            text={activating ? m.passwordless_activate_text() : m.passwordless_forgotten_text()}
            begin={(who) => call(steps.begin, { body: { who } })}
            onDone={setKnown}
          />
        )}
      </div>
    </Page>
  )
}

type WhoProps = {
  text: string
  begin: (who: string) => Promise<Known>
  onDone: (known: Known) => void
}

function Who({ text, begin, onDone }: WhoProps) {
  const [who, setWho] = useState('')
  const [missing, setMissing] = useState(false)
  const { mutate, isPending, error } = useMutation({ mutationFn: begin, onSuccess: onDone })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!who.trim())
    if (who.trim()) mutate(who.trim())
  }
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <p>{text}</p>
      <Problem text={error?.message ?? ''} />
      <Field
        label={m.passwordless_who()}
        name="who"
        value={who}
        onValue={setWho}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        {...(missing && { error: m.passwordless_who_missing() })}
      />
      <Button type="submit" wide busy={isPending}>
        {m.passwordless_next()}
      </Button>
    </form>
  )
}

type CodeStepProps = {
  known: Known
  send: (kind: Kind, captcha?: string) => Promise<{ retryAfter: number }>
  check: (kind: Kind, code: string) => Promise<{ username: string }>
  onDone: (answer: { username: string }) => void
  onBack: () => void
}

function CodeStep({ known, send, check, onDone, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<Kind>(known.contacts[0]?.kind ?? 'mobile')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState('')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (digits: string) => check(kind, digits),
    onSuccess: onDone,
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(code)
  }
  const ask = async () => {
    setProblem('')
    setCode('')
    reset()
    const wait = await sendAndWait(
      `recovery ${kind}`,
      (captcha) => send(kind, captcha),
      (fault) => setProblem((fault as Error).message),
    )
    setSent(true)
    return wait
  }
  if (known.contacts.length === 0)
    return (
      <section className="login-form">
        <StepHeading title={m.passwordless_no_contact()}>
          {m.passwordless_no_contact_text()}
        </StepHeading>
        <Button kind="plain" wide onClick={onBack}>
          {m.passwordless_back()}
        </Button>
      </section>
    )
  const wrong = error instanceof ApiError && error.code === 'code.wrong'
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <StepHeading title={m.passwordless_code_title()}>{m.passwordless_code_text()}</StepHeading>
      <Problem text={problem || (error && !wrong ? error.message : '')} />
      <fieldset className="passwordless-choice">
        <legend>{m.passwordless_where()}</legend>
        {known.contacts.map((contact) => (
          <label key={contact.kind}>
            <input
              type="radio"
              name="kind"
              checked={kind === contact.kind}
              onChange={() => {
                setKind(contact.kind)
                setCode('')
                reset()
              }}
            />
            <span>
              {contact.kind === 'mobile' ? m.passwordless_by_sms() : m.passwordless_by_mail()}
            </span>
            <span className="num muted">{contact.masked}</span>
          </label>
        ))}
      </fieldset>
      <div className="passwordless-code">
        <CodeField
          value={code}
          onValue={setCode}
          onComplete={(digits) => mutate(digits)}
          {...(wrong && { error: error.message })}
        />
        <CodeButton key={kind} onSend={ask} until={waits.get(`recovery ${kind}`) ?? 0} />
      </div>
      <Button type="submit" wide busy={isPending} disabled={code.length < 6}>
        {m.passwordless_next()}
      </Button>
      {sent ? (
        <p className="muted" role="status">
          {m.passwordless_sent()}
        </p>
      ) : null}
      <Button kind="plain" wide onClick={onBack}>
        {m.passwordless_back()}
      </Button>
    </form>
  )
}

type NewPasswordProps = {
  username: string
  onSubmit: (password: string) => Promise<unknown>
  onDone: () => void
}

function NewPassword({ username, onSubmit, onDone }: NewPasswordProps) {
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useMutation({ mutationFn: onSubmit, onSuccess: onDone })
  const fault = error instanceof ApiError ? error.fields.newPassword : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password) mutate(password)
  }
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <StepHeading title={m.passwordless_password_title()}>
        {m.passwordless_password_text({ username })}
      </StepHeading>
      <Problem text={error && !fault ? error.message : ''} />
      {/* Tells the password manager whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PasswordField
        label={m.passwordless_password()}
        name="newPassword"
        value={password}
        onValue={setPassword}
        autoComplete="new-password"
        hint={m.passwordless_password_hint()}
        error={fault}
      />
      <Button type="submit" wide busy={isPending} disabled={password === ''}>
        {m.passwordless_save()}
      </Button>
    </form>
  )
}
