import { type AccountSecurity, account } from '@atrium/contract/identity/account'
import { useState } from 'react'
import { ExternalLink } from '#domains/shell/webview/external-link.tsx'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { NewPasswordField } from '#ui/form/new-password-field.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { useChange } from './account-queries.ts'
import { Form } from './form.tsx'
import { Guarded } from './guarded.tsx'
import { leaveAccountPage } from './screens.ts'

/** Changes the password. The confirmation has already asked for the current one. */
export default function ChangePasswordPage() {
  return (
    <Guarded change="password">
      {({ password }) =>
        password.elsewhere ? <ExternalPassword home={password.elsewhere} /> : <ChangePassword />
      }
    </Guarded>
  )
}

type ExternalPasswordProps = { home: NonNullable<AccountSecurity['password']['elsewhere']> }

/** The password is managed by a directory of the institution. */
const ExternalPassword = ({ home }: ExternalPasswordProps) => (
  <Card>
    <div className="account-form-inside">
      <p className="account-intro">
        {m.account_elsewhere({ name: inLanguage(home.name, home.nameEn) })}
      </p>
      {home.address ? (
        <ExternalLink className="button button-primary button-wide" url={home.address}>
          {m.account_elsewhere_go()}
        </ExternalLink>
      ) : (
        <p className="muted">{m.account_elsewhere_ask()}</p>
      )}
    </div>
  </Card>
)

function ChangePassword() {
  const session = useSession()
  const [newPassword, setNewPassword] = useState('')
  const [endOthers, setEndOthers] = useState(true)
  const [problem, setProblem] = useState('')
  const { mutate, isPending } = useChange(account.changePassword, {
    done() {
      toast(m.account_password_changed())
      leaveAccountPage()
    },
    failed(error) {
      setProblem(error.fields.newPassword ?? error.message)
      return true
    },
  })
  const submit = () => {
    setProblem(newPassword ? '' : m.account_new_password_missing())
    if (newPassword) mutate({ body: { newPassword, endOthers } })
  }
  return (
    <Form submit={m.account_save()} busy={isPending} onSubmit={submit}>
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={session?.username ?? ''}
        readOnly
        hidden
      />
      <NewPasswordField
        value={newPassword}
        onValue={setNewPassword}
        owner={{ usernames: [session?.username ?? ''], name: session?.name ?? '' }}
        error={problem || undefined}
      />
      <div>
        <Switch label={m.account_end_others()} checked={endOthers} onChange={setEndOthers} />
        <p className="muted">{m.account_end_others_hint()}</p>
      </div>
    </Form>
  )
}
