import './second-factor.css'
import { type Passkey, secondFactor } from '@atrium/contract/identity/second-factor'
import { type SubmitEvent, useState } from 'react'
import { ApiError, call } from '#lib/api.ts'
import { formatDay } from '#lib/format.ts'
import { invalidate } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { canUsePasskeys, createPasskey, deviceName, passkeyProblem } from './browser-passkeys.ts'
import { Problem } from './problem.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { shownFactors, useFactors } from './second-factor-queries.ts'

/** The member's passkeys. They replace the password, and also serve as a second factor. */
export default function PasskeysPage() {
  const factors = useFactors()
  const [codes, setCodes] = useState<string[]>([])
  const username = useSession()?.username
  return (
    <Page onRefresh={() => factors.refetch()}>
      <div className="column stack">
        <QueryView
          query={factors}
          skeleton={<Skeleton height={320} label={m.shell_loading()} />}
          below={
            <>
              <AddPasskey onCodes={setCodes} />
              <p className="muted">{m.second_factor_passkeys_note()}</p>
            </>
          }
        >
          {({ passkeys }) => (
            <Card flush={passkeys.length > 0}>
              {passkeys.length > 0 ? (
                <ul className="passkeys">
                  {passkeys.map((passkey) => (
                    <PasskeyRow key={passkey.id} passkey={passkey} />
                  ))}
                </ul>
              ) : (
                <Empty icon="key" title={m.second_factor_passkeys_empty()}>
                  {m.second_factor_passkey_text()}
                </Empty>
              )}
            </Card>
          )}
        </QueryView>
      </div>
      <Sheet
        open={codes.length > 0}
        onClose={() => toast(m.second_factor_codes_first())}
        title={m.second_factor_codes()}
      >
        <RecoveryCodes codes={codes} username={username} onSaved={() => setCodes([])} />
      </Sheet>
    </Page>
  )
}

function AddPasskey({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const add = async () => {
    setBusy(true)
    setProblem('')
    try {
      const credential = await createPasskey(await call(secondFactor.beginPasskey))
      const body = { credential, name: deviceName() }
      const { recoveryCodes } = await call(secondFactor.addPasskey, { body })
      invalidate(...shownFactors)
      if (recoveryCodes.length > 0) onCodes(recoveryCodes)
      else toast(m.second_factor_passkey_added())
    } catch (error) {
      if (!(error instanceof ApiError && confirmFirst(error))) setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  if (!canUsePasskeys()) return <Problem text={m.second_factor_passkey_cannot()} />
  return (
    <>
      <Problem text={problem} />
      <Button wide busy={busy} onClick={() => void add()}>
        {m.second_factor_passkey_add()}
      </Button>
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'name' | 'remove'>()
  const [name, setName] = useState(passkey.name)
  const close = () => setOpen(undefined)
  const settled = {
    done: close,
    failed(error: ApiError) {
      close()
      return confirmFirst(error)
    },
    invalidates: shownFactors,
  }
  const rename = useAction(secondFactor.renamePasskey, settled)
  const remove = useAction(secondFactor.removePasskey, settled)
  const params = { id: passkey.id }
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (name.trim()) rename.mutate({ params, body: { name: name.trim() } })
  }
  return (
    <li className="passkey">
      <div className="passkey-text">
        <p className="passkey-name">
          {passkey.name} {passkey.backedUp ? <Pill>{m.second_factor_passkey_synced()}</Pill> : null}
        </p>
        <p className="muted num">
          {m.second_factor_added_on({ date: formatDay(passkey.createdAt) })}
          {passkey.lastUsedAt
            ? ` · ${m.second_factor_used_on({ date: formatDay(passkey.lastUsedAt) })}`
            : null}
        </p>
      </div>
      <IconButton
        label={m.second_factor_passkey_rename({ name: passkey.name })}
        onClick={() => {
          setName(passkey.name)
          setOpen('name')
        }}
      >
        <Icon name="edit" />
      </IconButton>
      <IconButton
        label={m.second_factor_passkey_remove({ name: passkey.name })}
        onClick={() => setOpen('remove')}
      >
        <Icon name="trash" />
      </IconButton>
      <Dialog open={open === 'name'} onClose={close} title={m.second_factor_passkey_rename_title()}>
        <form className="factor-form" onSubmit={save} noValidate>
          <Field
            label={m.second_factor_passkey_name()}
            name="passkey-name"
            value={name}
            onValue={setName}
            autoComplete="off"
            maxLength={50}
          />
          <Button type="submit" wide busy={rename.isPending} disabled={!name.trim()}>
            {m.second_factor_save()}
          </Button>
        </form>
      </Dialog>
      <Dialog
        open={open === 'remove'}
        onClose={close}
        title={m.second_factor_passkey_remove_title({ name: passkey.name })}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate({ params })}>
              {m.second_factor_remove()}
            </Button>
          </>
        }
      >
        {m.second_factor_passkey_remove_text()}
      </Dialog>
    </li>
  )
}
