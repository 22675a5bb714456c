import { usernameMax } from '@atrium/contract/define'
import { type FederatedUser, federation } from '@atrium/contract/identity/federation'
import type { SignIn } from '@atrium/contract/identity/identity'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useIssueFocus } from '#domains/identity/login/issue-focus.ts'
import { useLoginConfigs } from '#domains/identity/login/login-queries.ts'
import { Problem } from '#domains/identity/login/problem.tsx'
import { StepHeading } from '#domains/identity/login/step-heading.tsx'
import { MobileCodeFields } from '#domains/identity/passwordless/mobile-code-fields.tsx'
import { requestCode } from '#domains/identity/passwordless/request-code.ts'
import { ApiError, call } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'

type BindFormProps = {
  user: FederatedUser
  onDone: (answer: SignIn) => void
  /** Called with a message if the binding cannot continue. */
  onOver: (text: string) => void
}
type Proof = { username: string; password: string } | { mobile: string; smscode: string }

/** Proves the account once by a password or a code; from then on the external login suffices. */
export function BindForm({ user, onDone, onOver }: BindFormProps) {
  const smsLogin = useLoginConfigs().data?.smsLogin ?? false
  const [byCode, setByCode] = useState(false)
  const [checking, setChecking] = useState(false)
  const [problem, setProblem] = useState('')
  const [fields, setFields] = useState<Record<string, string>>({})
  const provider = inLanguage(user.providerName, user.providerNameEn)
  const showError = (error: unknown) => {
    if (!(error instanceof ApiError)) return setProblem((error as Error).message)
    if (['federation.expired', 'federation.bound_before'].includes(error.code))
      return onOver(error.message)
    setFields(error.code === 'code.wrong' ? { smscode: error.message } : error.fields)
    setProblem(error.code === 'code.wrong' ? '' : error.message)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (proof: Proof) => bind(user.nonce, proof, () => setChecking(true)),
    onSuccess: onDone,
    onError: showError,
    onSettled: () => setChecking(false),
  })
  const clear = (next: Record<string, string> = {}) => {
    setProblem('')
    setFields(next)
  }
  return (
    <section className="login-form">
      <StepHeading title={m.federation_bind_title()}>
        {m.federation_bind_text({ provider })}
      </StepHeading>
      {user.display ? (
        <p className="federation-who">
          <span className="muted">{m.federation_bind_as({ provider })}</span>
          <strong>{user.display}</strong>
        </p>
      ) : null}
      <Problem text={problem} />
      {byCode ? (
        <CodeProof
          nonce={user.nonce}
          fields={fields}
          busy={isPending}
          onIssue={clear}
          onFailed={showError}
          onProof={(proof) => {
            clear()
            mutate(proof)
          }}
        />
      ) : (
        <PasswordProof
          fields={fields}
          busy={isPending}
          checking={checking}
          onIssue={clear}
          onProof={(proof) => {
            clear()
            mutate(proof)
          }}
        />
      )}
      {smsLogin ? (
        <Button
          kind="plain"
          wide
          onClick={() => {
            clear()
            setByCode(!byCode)
          }}
        >
          {byCode ? m.federation_by_password() : m.federation_by_code()}
        </Button>
      ) : null}
    </section>
  )
}

/** After a failed attempt, the device must first solve a captcha. */
async function bind(nonce: string, proof: Proof, checking: () => void) {
  try {
    return await call(federation.bind, { body: { nonce, ...proof } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'login.captcha_due') throw error
    checking()
    const { solveCaptcha } = await import('#domains/identity/login/captcha.ts')
    return call(federation.bind, { body: { nonce, ...proof, captcha: await solveCaptcha() } })
  }
}

type ProofProps<P> = {
  fields: Record<string, string>
  busy: boolean
  onIssue: (fields: Record<string, string>) => void
  onProof: (proof: P) => void
}

function PasswordProof({
  fields,
  busy,
  checking,
  onIssue,
  onProof,
}: ProofProps<{ username: string; password: string }> & { checking: boolean }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const form = useIssueFocus(fields)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const issues = {
      ...(!username.trim() && { username: m.login_username_missing() }),
      ...(!password && { password: m.login_password_missing() }),
    }
    if (Object.keys(issues).length > 0) return onIssue(issues)
    onProof({ username: username.trim(), password })
  }
  return (
    <form ref={form} className="login-step" onSubmit={submit} noValidate>
      <Field
        label={m.login_username()}
        name="username"
        value={username}
        onValue={setUsername}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={usernameMax}
        error={fields.username}
      />
      <PasswordField
        label={m.login_password()}
        name="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        error={fields.password}
      />
      <Button type="submit" wide busy={busy}>
        {checking ? m.login_checking() : m.federation_bind_submit()}
      </Button>
    </form>
  )
}

function CodeProof({
  nonce,
  fields,
  busy,
  onIssue,
  onProof,
  onFailed,
}: ProofProps<{ mobile: string; smscode: string }> & {
  nonce: string
  onFailed: (error: unknown) => void
}) {
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const form = useIssueFocus(fields)
  const show = (smscode: string) => {
    if (mobile.trim().length < 6) return onIssue({ mobile: m.passwordless_mobile_missing() })
    if (smscode.length < 6) return onIssue({ smscode: m.passwordless_code_missing() })
    onProof({ mobile, smscode })
  }
  const send = () => {
    onIssue({})
    setCode('')
    return requestCode(
      'signIn',
      (captcha) =>
        call(federation.sendCode, { body: { nonce, mobile, ...(captcha && { captcha }) } }),
      onFailed,
    )
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    show(code)
  }
  return (
    <form ref={form} className="login-step" onSubmit={submit} noValidate>
      <MobileCodeFields
        mobile={mobile}
        onMobile={setMobile}
        code={code}
        onCode={setCode}
        onComplete={show}
        onSend={send}
        fields={fields}
      />
      <Button type="submit" wide busy={busy}>
        {m.federation_bind_submit()}
      </Button>
    </form>
  )
}
