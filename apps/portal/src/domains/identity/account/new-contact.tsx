import { type AccountSecurity, account } from '@atrium/contract/identity/account'
import { isEmail, normalizeInput } from '@atrium/rules/validators'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { CodeButton } from '#ui/form/code-button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { sendCode, useChange } from './account-queries.ts'
import { contactTexts, type Kind } from './contact-texts.ts'
import { Form } from './form.tsx'
import { Guarded } from './guarded.tsx'
import { leaveAccountPage } from './screens.ts'

/** Binds a contact, or replaces the bound one. */
export const NewContact = ({ kind }: { kind: Kind }) => (
  <Guarded change={kind}>{(security) => <Bind kind={kind} security={security} />}</Guarded>
)

function Bind({ kind, security }: { kind: Kind; security: AccountSecurity }) {
  const texts = contactTexts[kind]
  const [contact, setContact] = useState('')
  const [code, setCode] = useState('')
  const [sentTo, setSentTo] = useState('')
  const [issues, setIssues] = useState<{ contact?: string; code?: string }>({})
  const { mutate, isPending } = useChange(account.changeContact, {
    done() {
      toast(texts.changed())
      leaveAccountPage()
    },
    failed(error) {
      setIssues(error.fields.contact ? { contact: error.fields.contact } : { code: error.message })
      return true
    },
  })
  const readable = () => {
    const normalized = normalizeInput(contact)
    const isValid = kind === 'email' ? isEmail(normalized) : /^\+?[\d\s()-]{7,24}$/.test(normalized)
    if (!isValid) setIssues({ contact: texts.missing() })
    return isValid
  }
  const send = async () => {
    setIssues({})
    if (!readable()) return 'unsent'
    const wait = await sendCode(account.sendNewCode, { params: { kind }, body: { contact } })
    setSentTo(normalizeInput(contact))
    return wait
  }
  const submit = (enteredCode = code) => {
    if (!readable()) return
    if (enteredCode.length < 6) return setIssues({ code: m.account_code_missing() })
    setIssues({})
    mutate({ params: { kind }, body: { contact, code: enteredCode } })
  }
  const otherContact = kind === 'mobile' ? security.email : security.mobile
  return (
    <Form
      intro={security[kind].masked ? texts.current({ contact: security[kind].masked }) : undefined}
      submit={security[kind].masked ? m.account_change() : m.account_bind()}
      busy={isPending}
      onSubmit={submit}
      after={
        security[kind].masked && otherContact.masked ? <RemoveContact kind={kind} /> : undefined
      }
    >
      <Field
        label={security[kind].masked ? texts.fresh() : texts.name()}
        name={kind}
        value={contact}
        onValue={setContact}
        {...(kind === 'mobile'
          ? { type: 'tel', autoComplete: 'tel', inputMode: 'tel' }
          : { type: 'email', autoComplete: 'email', inputMode: 'email' })}
        autoCapitalize="none"
        maxLength={254}
        error={issues.contact ?? ''}
      />
      <div className="account-code">
        <CodeField value={code} onValue={setCode} onComplete={submit} error={issues.code ?? ''} />
        <CodeButton onSend={send} />
      </div>
      <p className="muted" role="status">
        {sentTo ? m.account_code_sent({ contact: sentTo }) : m.account_code_hint()}
      </p>
    </Form>
  )
}

function RemoveContact({ kind }: { kind: Kind }) {
  const texts = contactTexts[kind]
  const [isConfirming, setIsConfirming] = useState(false)
  const close = () => setIsConfirming(false)
  const { mutate, isPending } = useChange(account.removeContact, {
    done() {
      close()
      toast(texts.removed())
      leaveAccountPage()
    },
    failed() {
      close()
      return false
    },
  })
  return (
    <>
      <button
        type="button"
        className="account-link account-link-danger"
        onClick={() => setIsConfirming(true)}
      >
        {texts.remove()}
      </button>
      <Dialog
        open={isConfirming}
        onClose={close}
        title={texts.remove()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { kind } })}>
              {m.account_remove()}
            </Button>
          </>
        }
      >
        {texts.removeText()}
      </Dialog>
    </>
  )
}
