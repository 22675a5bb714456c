import '#domains/identity/login/login-page.css'
import './recovery-page.css'
import type { Reply } from '@atrium/contract/define'
import { activation, forgotten } from '@atrium/contract/identity/passwordless'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useContext, useEffect, useState } from 'react'
import { clearArrival, readArrival } from '#domains/identity/login/arrival.ts'
import { useIssueFocus } from '#domains/identity/login/issue-focus.ts'
import { Problem } from '#domains/identity/login/problem.tsx'
import { StepHeading } from '#domains/identity/login/step-heading.tsx'
import { ExternalLink } from '#domains/shell/webview/external-link.tsx'
import { ApiError, call } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { hrefOf, performNavigation } from '#shell/navigation/navigation.ts'
import { leaveTo } from '#shell/navigation/page-exit.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { Button } from '#ui/form/button.tsx'
import { CodeButton } from '#ui/form/code-button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { NewPasswordField } from '#ui/form/new-password-field.tsx'
import { nextRequestAt, requestCode } from './request-code.ts'

type Kind = 'mobile' | 'email'
type Proven = Reply<typeof forgotten.check>
type RecoveryState = { state: string; contacts: { kind: Kind; masked: string }[] }

/** Sets a new password by a code, in steps: account, contact, code, password. */
export default function RecoveryPage() {
  const { path } = useContext(PageContext)
  const activating = path === '/pages/login/activate'
  const steps = activating ? activation : forgotten
  const [recovery, setRecovery] = useState<RecoveryState>()
  const [proven, setProven] = useState<Proven>()
  const [done, setDone] = useState(false)
  const { returnTarget } = useSearch('/pages/login/forgotten')
  const [{ onwards }] = useState(readArrival)
  useEffect(clearArrival, [])
  const signIn = () => {
    if (onwards) leaveTo(onwards)
    else performNavigation('redirect', hrefOf('/pages/login/pwdLogin', { returnTarget }))
  }
  return (
    <Page>
      <div className="column login">
        {done ? (
          <section className="login-form">
            <StepHeading title={m.passwordless_done()}>
              {activating ? m.passwordless_activated_text() : m.passwordless_changed_text()}
            </StepHeading>
            <Button wide onClick={signIn}>
              {m.passwordless_to_sign_in()}
            </Button>
          </section>
        ) : proven?.elsewhere ? (
          <ExternalPassword username={proven.username} home={proven.elsewhere} />
        ) : recovery && proven ? (
          <NewPassword
            username={proven.username}
            onSubmit={(newPassword) =>
              call(steps.finish, { body: { state: recovery.state, newPassword } })
            }
            onDone={() => setDone(true)}
          />
        ) : recovery ? (
          <CodeStep
            recovery={recovery}
            send={(kind, captcha) =>
              call(steps.send, {
                body: { state: recovery.state, kind, ...(captcha && { captcha }) },
              })
            }
            check={(kind, code) =>
              call(steps.check, { body: { state: recovery.state, kind, code } })
            }
            onDone={setProven}
            onBack={() => setRecovery(undefined)}
          />
        ) : (
          <AccountStep
            text={activating ? m.passwordless_activate_text() : m.passwordless_forgotten_text()}
            begin={(who) => call(steps.begin, { body: { who } })}
            onDone={setRecovery}
          />
        )}
      </div>
    </Page>
  )
}

type ExternalPasswordProps = { username: string; home: NonNullable<Proven['elsewhere']> }

/** The password is managed by a directory of the institution and cannot be set here. */
const ExternalPassword = ({ username, home }: ExternalPasswordProps) => (
  <section className="login-form">
    <StepHeading title={m.passwordless_elsewhere()}>
      {m.passwordless_elsewhere_text({ username, name: inLanguage(home.name, home.nameEn) })}
    </StepHeading>
    {home.address ? (
      <ExternalLink className="button button-primary button-wide" url={home.address}>
        {m.passwordless_elsewhere_go()}
      </ExternalLink>
    ) : (
      <p className="muted">{m.passwordless_elsewhere_ask()}</p>
    )}
  </section>
)

type AccountStepProps = {
  text: string
  begin: (who: string) => Promise<RecoveryState>
  onDone: (recovery: RecoveryState) => void
}

function AccountStep({ text, begin, onDone }: AccountStepProps) {
  const [who, setWho] = useState('')
  const [issues, setIssues] = useState<{ who?: string }>({})
  const form = useIssueFocus(issues)
  const { mutate, isPending, error } = useMutation({ mutationFn: begin, onSuccess: onDone })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIssues(who.trim() ? {} : { who: m.passwordless_who_missing() })
    if (who.trim()) mutate(who.trim())
  }
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
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
        {...(issues.who && { error: issues.who })}
      />
      <Button type="submit" wide busy={isPending}>
        {m.passwordless_next()}
      </Button>
    </form>
  )
}

type CodeStepProps = {
  recovery: RecoveryState
  send: (kind: Kind, captcha?: string) => Promise<{ retryAfter: number }>
  check: (kind: Kind, code: string) => Promise<Proven>
  onDone: (answer: Proven) => void
  onBack: () => void
}

function CodeStep({ recovery, send, check, onDone, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<Kind>(recovery.contacts[0]?.kind ?? 'mobile')
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
  const requestCodes = async () => {
    setProblem('')
    setCode('')
    reset()
    const wait = await requestCode(
      `recovery ${kind}`,
      (captcha) => send(kind, captcha),
      (issue) => setProblem((issue as Error).message),
    )
    setSent(true)
    return wait
  }
  if (recovery.contacts.length === 0)
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
        {recovery.contacts.map((contact) => (
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
        <CodeButton
          key={kind}
          onSend={requestCodes}
          until={nextRequestAt.get(`recovery ${kind}`) ?? 0}
        />
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
  const issue = error instanceof ApiError ? error.fields.newPassword : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password) mutate(password)
  }
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <StepHeading title={m.passwordless_password_title()}>
        {m.passwordless_password_text({ username })}
      </StepHeading>
      <Problem text={error && !issue ? error.message : ''} />
      {/* Tells the password manager whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordField
        value={password}
        onValue={setPassword}
        owner={{ usernames: [username] }}
        error={issue}
      />
      <Button type="submit" wide busy={isPending} disabled={password === ''}>
        {m.passwordless_save()}
      </Button>
    </form>
  )
}
