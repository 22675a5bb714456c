import './consent.css'
import { type Authorization, consent } from '@atrium/contract/sso/consent'
import { releasable, usernameWords } from '@atrium/contract/sso/registry'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay, formatDayAndTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'

/** Lists which services received the member's data, and when; each consent can be withdrawn here. */
export default function AuthorizationsPage() {
  const list = useQuery(q(consent.list))
  const [selected, setSelected] = useState<Authorization>()
  return (
    <Page onRefresh={() => list.refetch()}>
      <div className="column stack">
        <p className="consent-text muted">{m.consent_text()}</p>
        <QueryView
          query={list}
          skeleton={<Skeleton rows={3} height={160} label={m.shell_loading()} />}
          isEmpty={(all) => all.length === 0}
          empty={
            <Card>
              <Empty icon="shield" title={m.consent_empty()}>
                {m.consent_empty_hint()}
              </Empty>
            </Card>
          }
        >
          {(all) =>
            all.map((one) => (
              <Receipt key={one.code} receipt={one} onRevoke={() => setSelected(one)} />
            ))
          }
        </QueryView>
      </div>
      <RevokeDialog selected={selected} onClose={() => setSelected(undefined)} />
    </Page>
  )
}

const nameOf = ({ name, nameEn }: Authorization) => inLanguage(name, nameEn)

const states = {
  agreed: m.consent_agreed,
  withdrawn: m.consent_withdrawn,
  institution: m.consent_institution,
}

function Receipt({ receipt, onRevoke }: { receipt: Authorization; onRevoke: () => void }) {
  const { state, agreedAt, released } = receipt
  const purpose = inLanguage(receipt.purpose, receipt.purposeEn)
  return (
    <Card title={nameOf(receipt)} aside={states[state]()}>
      {purpose ? <p className="consent-purpose">{m.consent_purpose({ purpose })}</p> : null}
      {agreedAt ? (
        <p className="consent-since muted">
          {m.consent_since({ time: formatDayAndTime(agreedAt) })}
        </p>
      ) : null}
      {released.length === 0 ? (
        <p className="muted">{m.consent_nothing_yet()}</p>
      ) : (
        <ul className="consent-told" aria-label={m.consent_told({ name: nameOf(receipt) })}>
          {released.map(({ attribute, firstAt, lastAt, count }) => (
            <li key={attribute}>
              <span>{attributeTitle(attribute)}</span>
              <span className="muted">
                {count === 1
                  ? m.consent_once({ time: formatDayAndTime(lastAt) })
                  : m.consent_times({
                      count,
                      first: formatDay(firstAt),
                      time: formatDayAndTime(lastAt),
                    })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {state === 'agreed' ? (
        <Button
          kind="plain"
          small
          aria-label={m.consent_revoke_named({ name: nameOf(receipt) })}
          onClick={onRevoke}
        >
          {m.consent_revoke()}
        </Button>
      ) : null}
    </Card>
  )
}

function attributeTitle(attribute: Authorization['released'][number]['attribute']) {
  const words = attribute === 'username' ? usernameWords : releasable[attribute]
  return inLanguage(words.zh.title, words.en.title)
}

function RevokeDialog({
  selected,
  onClose,
}: {
  selected: Authorization | undefined
  onClose: () => void
}) {
  // Keeps the text while the dialog closes.
  const [shown, setShown] = useState(selected)
  if (selected && selected !== shown) setShown(selected)
  const done = () => {
    toast(m.consent_revoked())
    onClose()
  }
  const { mutate, isPending } = useAction(consent.revoke, {
    done,
    invalidates: [consent.list],
    // Already withdrawn elsewhere, which is the same result.
    failed: ({ code }) => {
      if (code === 'consent.not_found') done()
      return code === 'consent.not_found'
    },
  })
  return (
    <Dialog
      open={selected !== undefined}
      onClose={onClose}
      title={m.consent_revoke_title()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.consent_cancel()}
          </Button>
          <Button
            kind="danger"
            busy={isPending}
            onClick={() => selected && mutate({ params: { code: selected.code } })}
          >
            {m.consent_revoke()}
          </Button>
        </>
      }
    >
      {shown ? m.consent_revoke_text({ name: nameOf(shown) }) : null}
    </Dialog>
  )
}
