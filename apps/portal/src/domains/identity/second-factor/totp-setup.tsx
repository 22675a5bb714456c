import type { TotpEnrolment } from '@atrium/contract/identity/second-factor'
import { type SubmitEvent, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { Button } from '#ui/form/button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'
import { Problem } from './problem.tsx'

type TotpSetupProps = {
  setup: TotpEnrolment
  busy: boolean
  problem: string
  onCode: (code: string) => void
}

/** The TOTP secret as a QR code for another device and as a link for this one, and an input for the first code. */
export function TotpSetup({ setup, busy, problem, onCode }: TotpSetupProps) {
  const [code, setCode] = useState('')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onCode(code)
  }
  return (
    <ol className="factor-steps">
      <li>
        <p>{m.second_factor_totp_install()}</p>
      </li>
      <li>
        <p>{m.second_factor_totp_scan()}</p>
        <QrCode text={setup.uri} label={m.second_factor_totp_qr()} />
        <a className="factor-link" href={setup.uri}>
          {m.second_factor_totp_open()}
        </a>
        <p className="muted">{m.second_factor_totp_type()}</p>
        <div className="factor-secret">
          <code className="num">{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <Button kind="plain" small onClick={() => void copyText(setup.secret)}>
            {m.second_factor_copy()}
          </Button>
        </div>
      </li>
      <li>
        <p>{m.second_factor_totp_first_code()}</p>
        <form className="factor-form" onSubmit={submit} noValidate>
          <Problem text={problem} />
          <CodeField value={code} onValue={setCode} onComplete={onCode} />
          <Button type="submit" wide busy={busy} disabled={code.length < 6}>
            {m.second_factor_totp_finish()}
          </Button>
        </form>
      </li>
    </ol>
  )
}
