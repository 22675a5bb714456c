import './sources.css'
import { formatNumber, formatRelativeTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { EmailAddress } from '#ui/email-address.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { UserText } from '#ui/user-text.tsx'
import { AgeNote, AsOf } from './age-note.tsx'
import { useMailbox } from './personal-sources-queries.ts'

/** The number of unread mails, and the latest ones. */
export default function MailboxPage() {
  const mailbox = useMailbox()
  return (
    <Page onRefresh={mailbox.refetch}>
      <div className="column stack">
        <QueryView
          query={mailbox}
          skeleton={<Skeleton height={320} label={m.shell_loading()} />}
          isEmpty={(data) => data === null}
          empty={
            <Empty icon="mail" title={m.personal_sources_no_mailbox()}>
              {m.personal_sources_no_mailbox_hint()}
            </Empty>
          }
        >
          {(data) =>
            data ? (
              <>
                <AgeNote of={data} onRetry={() => void mailbox.refetch()} />
                <Card>
                  <dl className="sources-figures">
                    <div>
                      <dt>{m.personal_sources_unread()}</dt>
                      <dd className="num">{formatNumber(data.unread)}</dd>
                    </div>
                    <div>
                      <dt>{m.personal_sources_mail_total()}</dt>
                      <dd className="num">{formatNumber(data.total ?? data.unread)}</dd>
                    </div>
                  </dl>
                  <div className="sources-line">
                    <span className="sources-line-address">
                      <EmailAddress address={data.address} />
                    </span>
                    <Button small kind="plain" onClick={() => void copyText(data.address)}>
                      {m.personal_sources_copy_address()}
                    </Button>
                  </div>
                  {data.url ? (
                    <Button wide onClick={() => openAddress(data.url ?? '')}>
                      {m.personal_sources_open_mail()}
                    </Button>
                  ) : null}
                </Card>
                {data.list && data.list.length > 0 ? (
                  <Card title={m.personal_sources_last_mail()}>
                    <ul className="sources-list">
                      {data.list.map(({ subject, from, at }) => (
                        <li key={`${at}${subject}`} className="sources-line">
                          <div className="sources-line-words">
                            <p className="sources-line-title">
                              {subject ? (
                                <UserText>{subject}</UserText>
                              ) : (
                                m.personal_sources_no_subject()
                              )}
                            </p>
                            <p className="muted num">
                              <Facts of={[from, formatRelativeTime('messages', at)]} />
                            </p>
                          </div>
                        </li>
                      ))}
                    </ul>
                  </Card>
                ) : null}
                <AsOf of={data} />
              </>
            ) : null
          }
        </QueryView>
      </div>
    </Page>
  )
}
