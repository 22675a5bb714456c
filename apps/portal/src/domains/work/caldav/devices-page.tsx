import './caldav.css'
import { type AppPassword, caldav } from '@atrium/contract/work/calendar-exchange'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { formatRelativeTime } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'

/** A password, which the server returns only once. */
type NewConnection = { name: string; password: string }
const invalidates = [caldav.list]

/** Devices whose own calendar syncs with the member's, each with its own password. */
export default function DevicesPage() {
  const query = useQuery(q(caldav.list))
  const [created, setCreated] = useState<NewConnection>()
  return (
    <Page onRefresh={() => query.refetch()}>
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={120} label={m.shell_loading()} />}
        >
          {({ server, username, passwords }) => (
            <>
              {created ? (
                <Connection created={created} server={server} username={username} />
              ) : null}
              <NewPassword onCreated={setCreated} />
              {passwords.length === 0 ? (
                <Empty icon="mobile" title={m.caldav_none()}>
                  {m.caldav_text()}
                </Empty>
              ) : (
                <ul className="stack" aria-label={m.caldav_devices()}>
                  {passwords.map((one) => (
                    <Device key={one.id} device={one} />
                  ))}
                </ul>
              )}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

type ConnectionProps = { created: NewConnection; server: string; username: string }

/** The settings to enter on the device, while the password is visible. */
function Connection({ created: { name, password }, server, username }: ConnectionProps) {
  return (
    <Card title={m.caldav_connect({ name })}>
      <p role="status">{m.caldav_once()}</p>
      <dl className="caldav-facts">
        <Fact label={m.caldav_server()} value={server} />
        <Fact label={m.caldav_username()} value={username} />
        <Fact label={m.caldav_password()} value={password} secret />
      </dl>
      <ul className="caldav-steps muted">
        <li>{m.caldav_steps_apple()}</li>
        <li>{m.caldav_steps_android()}</li>
        <li>{m.caldav_steps_computer()}</li>
      </ul>
    </Card>
  )
}

type FactProps = { label: string; value: string; secret?: boolean }

const Fact = ({ label, value, secret }: FactProps) => (
  <div className="caldav-row">
    <dt className="muted">{label}</dt>
    <dd>
      <span className={secret ? 'caldav-fact caldav-password' : 'caldav-fact'}>{value}</span>
      <Button
        kind="plain"
        small
        aria-label={m.caldav_copy_one({ what: label })}
        onClick={() => void copyText(value)}
      >
        {m.caldav_copy()}
      </Button>
    </dd>
  </div>
)

function NewPassword({ onCreated }: { onCreated: (created: NewConnection) => void }) {
  const [name, setName] = useState('')
  const { mutate, isPending } = useAction(caldav.create, {
    invalidates,
    done({ password }, { body }) {
      onCreated({ name: body.name, password })
      deleteDraft('caldav.device')
      setName('')
      window.scrollTo({ top: 0 })
    },
    failed: confirmFirst,
  })
  return (
    <Card title={m.caldav_new()}>
      <DraftForm
        draft={'caldav.device'}
        className="caldav-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim()) mutate({ body: { name: name.trim() } })
        }}
      >
        <Field
          label={m.caldav_name()}
          hint={m.caldav_name_hint()}
          value={name}
          onValue={setName}
          maxLength={60}
          required
        />
        <Button type="submit" wide disabled={!name.trim()} busy={isPending}>
          {m.caldav_make()}
        </Button>
      </DraftForm>
    </Card>
  )
}

function Device({ device: { id, name, createdAt, lastUsedAt } }: { device: AppPassword }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useAction(caldav.remove, { invalidates, done: () => toast(m.caldav_revoked()) })
  return (
    <li>
      <Card>
        <div className="caldav-device">
          <div className="caldav-device-text">
            <h2>{name}</h2>
            <p className="muted">
              {lastUsedAt
                ? m.caldav_used({ ago: formatRelativeTime('messages', lastUsedAt) })
                : m.caldav_unused({ ago: formatRelativeTime('messages', createdAt) })}
            </p>
          </div>
          <Button kind="plain" small onClick={() => setIsConfirming(true)}>
            {m.caldav_revoke()}
          </Button>
        </div>
      </Card>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.caldav_revoke_ask({ name })}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.ui_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {m.caldav_revoke()}
            </Button>
          </>
        }
      >
        {m.caldav_revoke_text()}
      </Dialog>
    </li>
  )
}
