import './recovery-page.css'
import { m } from '#paraglide/messages.js'
import { CodeButton } from '#ui/form/code-button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { nextRequestAt } from './request-code.ts'

type MobileCodeFieldsProps = {
  mobile: string
  onMobile: (mobile: string) => void
  code: string
  onCode: (code: string) => void
  /** Called when all digits are entered. */
  onComplete: (code: string) => void
  /** Requests a code; returns the time to wait, as CodeButton expects. */
  onSend: Parameters<typeof CodeButton>[0]['onSend']
  /** Error messages by field: `mobile`, `smscode`. */
  fields: Record<string, string>
}

/** A mobile number and the code sent to it, for signing in or proving one's identity. */
export function MobileCodeFields({
  mobile,
  onMobile,
  code,
  onCode,
  onComplete,
  onSend,
  fields,
}: MobileCodeFieldsProps) {
  return (
    <>
      <Field
        label={m.passwordless_mobile()}
        name="mobile"
        type="tel"
        inputMode="tel"
        value={mobile}
        onValue={onMobile}
        autoComplete="tel"
        maxLength={24}
        error={fields.mobile}
      />
      <div className="passwordless-code">
        <CodeField value={code} onValue={onCode} onComplete={onComplete} error={fields.smscode} />
        <CodeButton
          onSend={onSend}
          disabled={mobile.trim().length < 6}
          until={nextRequestAt.get('signIn') ?? 0}
        />
      </div>
    </>
  )
}
