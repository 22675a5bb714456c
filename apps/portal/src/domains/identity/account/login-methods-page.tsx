import './account.css'
import { type AccountSecurity, account } from '@atrium/contract/identity/account'
import { useContext } from 'react'
import { BoundLogins } from '#domains/identity/federation/bound-logins.tsx'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Pill } from '#ui/pill.tsx'
import { useChange, useSecurity } from './account-queries.ts'
import { goToRequiredStep, requiredStepOf } from './screens.ts'

/** The sign-in methods, and which of them the member can use. */
export default function LoginMethodsPage() {
  const security = useSecurity()
  const { path } = useContext(PageContext)
  return (
    <Page onRefresh={() => security.refetch()}>
      <div className="column stack">
        <QueryView query={security} skeleton={<Skeleton height={320} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <RowList label={m.account_ways()} values="beside">
                <LinkRow
                  to="/pages/modifyPwd/modifyPwd"
                  icon="lock"
                  value={<OnOff on={data.password.set} />}
                >
                  {m.account_way_password()}
                </LinkRow>
                {data.smsLogin.offered && !data.mobile.masked ? (
                  <LinkRow
                    to="/pages/modifyPwd/newPhone"
                    icon="mobile"
                    value={m.account_bind_first()}
                  >
                    {m.account_way_sms()}
                  </LinkRow>
                ) : null}
                {data.passkeyLogin ? (
                  <LinkRow
                    to="/pagesA/safeSet/passkeys"
                    icon="key"
                    value={<OnOff on={data.factors.includes('passkey')} />}
                  >
                    {m.account_way_passkey()}
                  </LinkRow>
                ) : null}
              </RowList>
              {data.smsLogin.offered && data.mobile.masked ? <SmsLogin security={data} /> : null}
              <BoundLogins
                confirm={() => {
                  const due = requiredStepOf(data, undefined)
                  if (due) goToRequiredStep(due, undefined, data, path)
                  return due !== undefined
                }}
              />
              <p className="muted account-ways-note">{m.account_ways_note()}</p>
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

const OnOff = ({ on }: { on: boolean }) => (
  <Pill tone={on ? 'green' : 'amber'}>{on ? m.account_on() : m.account_off()}</Pill>
)

/** Turned on and off here; without a mobile number, it is a row that leads to linking one. */
function SmsLogin({ security }: { security: AccountSecurity }) {
  const { path } = useContext(PageContext)
  const { mobile, smsLogin } = security
  const { mutate, isPending, variables } = useChange(account.chooseSmsLogin, {
    done: () => toast(variables?.body.on ? m.account_sms_on() : m.account_sms_off()),
    failed(error) {
      if (error.code !== 'session.confirmation_due') return false
      goToRequiredStep('confirm', undefined, security, path)
      return true
    },
  })
  return (
    <Card>
      <Switch
        label={m.account_way_sms()}
        checked={isPending ? (variables?.body.on ?? smsLogin.on) : smsLogin.on}
        disabled={isPending}
        onChange={(on) => mutate({ body: { on } })}
      />
      <p className="muted num">{m.account_way_sms_text({ contact: mobile.masked })}</p>
    </Card>
  )
}
