import type { SignIn } from '@atrium/contract/identity/identity'
import { passwordless } from '@atrium/contract/identity/passwordless'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useIssueFocus } from '#domains/identity/login/issue-focus.ts'
import { Problem } from '#domains/identity/login/problem.tsx'
import { SignInFrame } from '#domains/identity/login/sign-in-frame.tsx'
import { ApiError, call } from '#lib/api.ts'
import { recordFailedSignIn } from '#lib/events.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { MobileCodeFields } from './mobile-code-fields.tsx'
import { requestCode } from './request-code.ts'

/** Sign-in with a code sent by text message. */
export default function CodeLoginPage() {
  return <SignInFrame method="sms">{(done) => <CodeForm onDone={done} />}</SignInFrame>
}

/** What the code was sent for. At module level, so that it survives looking at another page. */
let started = { mobile: '', nonce: '' }

function CodeForm({ onDone }: { onDone: (answer: SignIn) => void }) {
  const [mobile, setMobile] = useState(started.mobile)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [fields, setFields] = useState<Record<string, string>>({})
  const form = useIssueFocus(fields)
  const showError = (error: unknown) => {
    const apiError = error instanceof ApiError ? error : undefined
    // The nonce is used up or too old; the next code gets a new one.
    if (apiError?.code === 'code.request_used') started = { ...started, nonce: '' }
    setFields(apiError?.fields ?? {})
    setProblem(apiError?.code === 'code.wrong' ? '' : (error as Error).message)
    if (apiError?.code === 'code.wrong') setFields({ smscode: apiError.message })
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (smscode: string) =>
      call(passwordless.smsLogin, { body: { mobile, smscode, nonce: started.nonce } }),
    onSuccess(answer) {
      started = { mobile: '', nonce: '' }
      onDone(answer)
    },
    onError(error) {
      recordFailedSignIn('mobilePhoneLogin', error)
      showError(error)
    },
  })
  const send = () => {
    setProblem('')
    setFields({})
    setCode('')
    return requestCode(
      'signIn',
      async (captcha) => {
        const nonce = started.nonce || (await call(passwordless.smsInit)).nonce
        started = { mobile, nonce }
        return call(passwordless.smsSend, { body: { mobile, nonce, ...(captcha && { captcha }) } })
      },
      showError,
    )
  }
  const sign = (smscode: string) => {
    if (!mobile.trim()) return setFields({ mobile: m.passwordless_mobile_missing() })
    if (smscode.length < 6 || !started.nonce)
      return setFields({ smscode: m.passwordless_code_missing() })
    setProblem('')
    setFields({})
    mutate(smscode)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    sign(code)
  }
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
      <Problem text={problem} />
      <MobileCodeFields
        mobile={mobile}
        onMobile={setMobile}
        code={code}
        onCode={setCode}
        onComplete={sign}
        onSend={send}
        fields={fields}
      />
      <Button type="submit" wide busy={isPending}>
        {m.login_submit()}
      </Button>
      <p className="muted">{m.passwordless_sms_hint()}</p>
    </form>
  )
}
