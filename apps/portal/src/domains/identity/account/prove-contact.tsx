import { type AccountSecurity, account } from '@atrium/contract/identity/account'
import { useEffect, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { performNavigation } from '#shell/navigation/navigation.ts'
import { pathOf } from '#shell/navigation/page-stack.ts'
import { findLoadedScreen } from '#shell/navigation/screens.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { CodeButton } from '#ui/form/code-button.tsx'
import { CodeField } from '#ui/form/code-field.tsx'
import { sendCode, useChange } from './account-queries.ts'
import { contactTexts, type Kind } from './contact-texts.ts'
import { Form } from './form.tsx'
import { Guarded } from './guarded.tsx'
import { continueTo, type NextPage } from './screens.ts'

type ProveProps = {
  kind: Kind
  onwards: NextPage
  /** The next page if the address names none. */
  otherwise: string
  /** The page that does the same with the other contact. */
  other: string
}

/** Confirms the bound contact with a code, before something is changed. */
export const ProveContact = (props: ProveProps) => (
  <Guarded>{(security) => <Prove {...props} security={security} />}</Guarded>
)

function Prove(props: ProveProps & { security: AccountSecurity }) {
  const { kind, onwards, otherwise, other, security } = props
  const texts = contactTexts[kind]
  const [code, setCode] = useState('')
  const [issue, setIssue] = useState('')
  const otherKind = kind === 'mobile' ? 'email' : 'mobile'
  const missing = security[kind].masked === ''
  const switchContact = () =>
    performNavigation('redirect', other + joinSearch({ next: onwards.next }))
  // Without this contact use the other one; without either there is nothing to confirm.
  useEffect(() => {
    if (!missing) return
    if (security[otherKind].masked)
      performNavigation('redirect', other + joinSearch({ next: onwards.next }))
    else continueTo(onwards, otherwise)
  }, [missing, security, otherKind, other, onwards, otherwise])
  const then = onwards.next && findLoadedScreen(pathOf(onwards.next))?.title()
  const { mutate, isPending } = useChange(account.proveContact, {
    done: () => continueTo(onwards, otherwise),
    failed(error) {
      setIssue(error.message)
      setCode('')
      return true
    },
  })
  const submit = (enteredCode = code) => {
    if (enteredCode.length < 6) return setIssue(m.account_code_missing())
    setIssue('')
    mutate({ params: { kind }, body: { code: enteredCode } })
  }
  if (missing) return null
  return (
    <Form
      intro={
        texts.prove({ contact: security[kind].masked }) +
        (then ? m.account_then({ what: then }) : '')
      }
      submit={m.account_next()}
      busy={isPending}
      onSubmit={submit}
      after={
        <>
          {security[otherKind].masked ? (
            <button type="button" className="account-link" onClick={switchContact}>
              {contactTexts[otherKind].other({ contact: security[otherKind].masked })}
            </button>
          ) : null}
          <p className="muted">{m.account_contact_lost()}</p>
        </>
      }
    >
      <div className="account-code">
        <CodeField value={code} onValue={setCode} onComplete={submit} error={issue} />
        <CodeButton onSend={() => sendCode(account.sendOldCode, { params: { kind } })} />
      </div>
    </Form>
  )
}
