import './account.css'
import type { AccountSecurity } from '@atrium/contract/identity/account'
import { formatDay } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { useSecurity } from './account-queries.ts'
import { type Advice, adviceOn } from './advice.ts'

/** The account's security level, advice, and links to all security settings. */
export default function SecurityPage() {
  const security = useSecurity()
  return (
    <Page onRefresh={() => security.refetch()}>
      <div className="column stack">
        <QueryView query={security} skeleton={<Skeleton height={520} label={m.shell_loading()} />}>
          {(data) => (
            <>
              <Level advice={adviceOn(data)} />
              <Secrets security={data} />
              <Traces />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Level({ advice }: { advice: Advice[] }) {
  const good = advice.length === 0
  return (
    <Card>
      <div className={`account-level account-level-${good ? 'good' : 'weak'}`}>
        <Icon name={good ? 'shield' : 'warning'} />
        <div className="account-level-text">
          <h2>{good ? m.account_level_good() : m.account_level_weak({ count: advice.length })}</h2>
          <p className="muted">
            {good ? m.account_level_good_text() : m.account_level_weak_text()}
          </p>
        </div>
      </div>
      {good ? null : (
        <div className="account-todo">
          <RowList label={m.account_todo()}>
            {advice.map((one) => (
              <AdviceRow key={one} advice={one} />
            ))}
          </RowList>
        </div>
      )}
    </Card>
  )
}

function AdviceRow({ advice }: { advice: Advice }) {
  switch (advice) {
    case 'password':
      return <LinkRow to="/pages/modifyPwd/modifyPwd">{m.account_advice_password()}</LinkRow>
    case 'mobile':
      return <LinkRow to="/pages/modifyPwd/newPhone">{m.account_advice_mobile()}</LinkRow>
    case 'email':
      return <LinkRow to="/pages/modifyPwd/email">{m.account_advice_email()}</LinkRow>
    case 'secondFactor':
      return <LinkRow to="/pagesA/safeSet/secondFactor">{m.account_advice_second_factor()}</LinkRow>
    case 'questions':
      return <LinkRow to="/pages/modifyPwd/safeQuestionSet">{m.account_advice_questions()}</LinkRow>
  }
}

function Secrets({
  security: { password, mobile, email, factors, questions },
}: {
  security: AccountSecurity
}) {
  return (
    <RowList label={m.account_secrets()}>
      <LinkRow
        to="/pages/modifyPwd/modifyPwd"
        icon="lock"
        value={
          password.changedAt
            ? m.account_changed_on({ date: formatDay(password.changedAt) })
            : undefined
        }
      >
        {m.account_password()}
      </LinkRow>
      <LinkRow
        to="/pages/modifyPwd/newPhone"
        icon="mobile"
        value={<span className="num">{mobile.masked || m.account_not_bound()}</span>}
      >
        {m.account_mobile()}
      </LinkRow>
      <LinkRow
        to="/pages/modifyPwd/email"
        icon="mail"
        value={email.masked || m.account_not_bound()}
      >
        {m.account_email()}
      </LinkRow>
      <LinkRow
        to="/pagesA/safeSet/secondFactor"
        icon="shield"
        value={factors.length > 0 ? m.account_on() : m.account_off()}
      >
        {m.account_second_factor()}
      </LinkRow>
      <LinkRow
        to="/pagesA/safeSet/passkeys"
        icon="key"
        value={factors.includes('passkey') ? m.account_set() : m.account_not_set()}
      >
        {m.account_passkeys()}
      </LinkRow>
      {questions.offered ? (
        <LinkRow
          to="/pages/modifyPwd/safeQuestionShow"
          icon="chat"
          value={questions.list.length > 0 ? m.account_set() : m.account_not_set()}
        >
          {m.account_questions()}
        </LinkRow>
      ) : null}
    </RowList>
  )
}

function Traces() {
  return (
    <RowList label={m.account_ways()}>
      <LinkRow to="/pagesA/loginWay/loginWay" icon="swap">
        {m.account_ways()}
      </LinkRow>
      <LinkRow to="/pages/set/devices" icon="mobile">
        {m.sessions_devices_title()}
      </LinkRow>
      <LinkRow to="/pages/set/signInRecords" icon="clock">
        {m.sessions_records_title()}
      </LinkRow>
      <LinkRow to="/pages/privacy/privacy" icon="shield">
        {m.privacy_title()}
      </LinkRow>
    </RowList>
  )
}
