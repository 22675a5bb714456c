import type { Static } from '@atrium/contract/define'
import type { OwnAccount } from '@atrium/contract/identity/identity'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'

type Account = Static<typeof OwnAccount> & { current?: boolean }
type AccountListProps = {
  accounts: readonly Account[]
  busy: boolean
  onChoose: (accountId: string) => void
}

/** The accounts of one person, with role, organisation and number. The current one cannot be chosen. */
export function AccountList({ accounts, busy, onChoose }: AccountListProps) {
  return (
    <ul className="account-list">
      {accounts.map((account) => (
        <li key={account.accountId}>
          <button
            type="button"
            className="account-row"
            disabled={busy || account.current}
            aria-current={account.current || undefined}
            onClick={() => onChoose(account.accountId)}
          >
            <span className="account-row-text">
              <span className="account-row-name">
                {inLanguage(account.identityTypeName, account.identityTypeNameEn)}
                {account.current ? <Pill tone="green">{m.login_account_current()}</Pill> : null}
              </span>
              <span className="muted">
                {inLanguage(account.organizationName, account.organizationNameEn)}
              </span>
              <span className="muted num">{account.username}</span>
            </span>
            <Icon name={account.current ? 'check' : 'chevron'} />
          </button>
        </li>
      ))}
    </ul>
  )
}
