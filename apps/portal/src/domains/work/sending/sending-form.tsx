import { sending } from '@atrium/contract/work/sending'
import { useId, useState } from 'react'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { type Channel, changeDraft, clearDraft, isBlank, useDraft, useDraftState } from './draft.ts'
import { RequestFields } from './request-fields.tsx'
import { bodyOf, SendDialog } from './send-dialog.tsx'
import type { Rights } from './sending-queries.ts'
import { TextFields } from './text-fields.tsx'
import { TimingFields } from './timing-fields.tsx'
import { unfilled, VariablesCard } from './variables-card.tsx'

type SendingFormProps = { rights: Rights; onSent: (sendId: string) => void }

/** A message to members. Sending asks for confirmation and shows whom it reaches. */
export function SendingForm({ rights, onSent }: SendingFormProps) {
  const draft = useDraft()
  const [isConfirming, setIsConfirming] = useState(false)
  const [issues, setIssues] = useState<Record<string, string>>({})
  const [english, setEnglish] = useState(draft.titleEn !== '' || draft.contentEn !== '')
  const [uploading, setUploading] = useState(false)
  const later = draft.day !== ''
  function confirmSending() {
    const open = rights.asMember ? [] : unfilled(draft)
    const missing: Record<string, string> = {
      ...Object.fromEntries(
        open.map((name) => [`variables.${name}`, m.sending_needs_variable({ name })]),
      ),
      ...(!draft.title.trim() && { title: m.sending_needs_title() }),
      ...(draft.recipients.length === 0 && { recipients: m.sending_needs_recipients() }),
      ...(draft.url.trim() && !isAddress(draft.url.trim()) && { url: m.sending_needs_address() }),
    }
    setIssues(missing)
    if (Object.keys(missing).length === 0) setIsConfirming(true)
  }
  const change = (values: Parameters<typeof changeDraft>[0]) => {
    setIssues({})
    changeDraft(values)
  }
  return (
    <form
      className="sending-form-cards"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        confirmSending()
      }}
    >
      {rights.held ? <p className="sending-note">{m.sending_held()}</p> : null}
      <Card title={m.sending_to()} flush>
        <Link
          className="list-row sending-to"
          to="/msgCenter/pages/onlineSend/chooseRecivePerson"
          aria-describedby={issues.recipients ? 'sending-to-error' : undefined}
        >
          <RowContent
            icon="people"
            leads
            value={
              draft.recipients.length > 0
                ? m.sending_chosen_count({ count: formatNumber(draft.recipients.length) })
                : ''
            }
          >
            {draft.recipients.length === 0
              ? m.sending_choose()
              : draft.recipients
                  .slice(0, 3)
                  .map(({ name }) => name)
                  .join(m.sending_name_separator())}
          </RowContent>
        </Link>
        {issues.recipients ? (
          <p id="sending-to-error" className="field-error sending-to-error" role="alert">
            {issues.recipients}
          </p>
        ) : null}
      </Card>
      <Card>
        <div className="sending-form">
          <TextFields
            rights={rights}
            issues={issues}
            english={english}
            onEnglish={setEnglish}
            change={change}
          />
          {rights.asMember ? null : (
            <>
              <Field
                label={m.sending_link()}
                value={draft.url}
                onValue={(url) => change({ url })}
                maxLength={2000}
                inputMode="url"
                placeholder="https://"
                {...(issues.url && { error: issues.url })}
              />
              <AttachedFiles key={draft.key} onBusy={setUploading} />
            </>
          )}
        </div>
      </Card>
      {rights.asMember ? null : (
        <>
          <VariablesCard issues={issues} />
          <Card title={m.sending_asks()}>
            <div className="sending-form">
              <RequestFields english={english} />
            </div>
          </Card>
          <Card title={m.sending_how()}>
            <div className="sending-form">
              {rights.kinds.length > 1 ? <Kinds kinds={rights.kinds} /> : null}
              <Channels available={rights.channels} />
              <TimingFields rights={rights} />
            </div>
          </Card>
        </>
      )}
      <Button type="submit" wide disabled={uploading}>
        {later ? m.sending_schedule() : m.sending_send()}
      </Button>
      <Draft rights={rights} />
      {isConfirming ? (
        <SendDialog
          rights={rights}
          onClose={() => setIsConfirming(false)}
          onSent={onSent}
          onIssues={setIssues}
        />
      ) : null}
    </form>
  )
}

const isAddress = (text: string) => /^(\/[^/\\].*|https:\/\/\S+)$/.test(text)

const kindNames = {
  notice: m.sending_kind_notice,
  event: m.sending_kind_event,
  urgent: m.sending_kind_urgent,
}

function Kinds({ kinds }: { kinds: Rights['kinds'] }) {
  const { kind } = useDraft()
  return (
    <SelectField
      label={m.sending_kind()}
      value={kind}
      onValue={(value) => changeDraft({ kind: value as typeof kind })}
      note={kind === 'urgent' ? <p className="muted">{m.sending_kind_urgent_note()}</p> : null}
    >
      {kinds.map((one) => (
        <option key={one} value={one}>
          {kindNames[one]()}
        </option>
      ))}
    </SelectField>
  )
}

/** Actions for a message before it is sent. */
function Draft({ rights }: { rights: Rights }) {
  const draft = useDraft()
  const state = useDraftState()
  const { mutate, isPending } = useAction(sending.send, {
    done: () => toast(m.sending_test_is_sent()),
  })
  if (isBlank(draft)) return null
  const states = {
    none: '',
    saving: m.sending_draft_saving(),
    saved: m.sending_draft_saved(),
    failed: m.sending_draft_failed(),
  }
  return (
    <>
      <div className="sending-draft">
        {rights.asMember ? null : (
          <Button
            kind="plain"
            busy={isPending}
            disabled={!draft.title.trim() || unfilled(draft).length > 0}
            onClick={() =>
              mutate({
                body: {
                  ...bodyOf({ ...draft, day: '' }, 1, rights),
                  // Each test is a separate message.
                  key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
                  recipients: [{ accountName: 'self' }],
                  test: true,
                },
              })
            }
          >
            {m.sending_test()}
          </Button>
        )}
        <Button
          kind="plain"
          onClick={() => {
            const previousDraft = draft
            clearDraft({ drop: true })
            toast(m.sending_cleared(), {
              label: m.sending_undo(),
              run: () => changeDraft(previousDraft),
            })
          }}
        >
          {m.sending_clear()}
        </Button>
      </div>
      <p className="sending-draft-state muted" role="status">
        {states[state]}
      </p>
    </>
  )
}

/** The configured channels for announcing the message besides the inbox. */
function Channels({ available }: { available: readonly Channel[] }) {
  const { channels } = useDraft()
  const note = useId()
  if (available.length === 0) return null
  return (
    <fieldset className="sending-channels" aria-describedby={note}>
      <legend>{m.sending_channels()}</legend>
      <div>
        {available.map((channel) => (
          <label key={channel}>
            <input
              type="checkbox"
              checked={channels.includes(channel)}
              onChange={() =>
                changeDraft({
                  channels: channels.includes(channel)
                    ? channels.filter((one) => one !== channel)
                    : [...channels, channel],
                })
              }
            />
            <span>{channelName(channel)}</span>
          </label>
        ))}
      </div>
      <p id={note} className="muted">
        {m.sending_channels_note()}
      </p>
    </fieldset>
  )
}
