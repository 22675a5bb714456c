import { type SendingPreview, sending } from '@atrium/contract/work/sending'
import { useState } from 'react'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { PreviewAs } from '#domains/work/sending-templates/preview-as.tsx'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { clearDraft, type Draft, getDraft, recipientOf, useDraft } from './draft.ts'
import { type Rights, usePreview } from './sending-queries.ts'
import { memberVariableNames, usedIn } from './variables-card.tsx'

/** From this number on, the sender must type it: prevents writing to everyone by mistake. */
const manyRecipients = 200

type SendDialogProps = {
  rights: Rights
  onClose: () => void
  onSent: (sendId: string) => void
  /** error messages by field of the form */
  onIssues: (issues: Record<string, string>) => void
}

/** Shows whom a message reaches, before it is sent. */
export function SendDialog({ rights, onClose, onSent, onIssues }: SendDialogProps) {
  const draft = useDraft()
  const { approveAbove, asMember } = rights
  const needs = asMember ? [] : usedIn(draft).ofMembers.filter((name) => !draft.variables[name])
  const recipients = draft.recipients.map(recipientOf)
  const preview = usePreview(recipients, draft, needs)
  const [reading, setReading] = useState(false)
  const [typed, setTyped] = useState('')
  const { mutate, isPending } = useAction(sending.send, {
    invalidates: [sending.list],
    done({ sendId, status }) {
      if (status === 'pending') toast(m.sending_is_submitted())
      else toast(draft.day ? m.sending_is_scheduled() : m.sending_is_sent())
      clearDraft()
      onSent(sendId)
    },
    failed(error) {
      if (error.code === 'sending.changed' || error.code === 'sending.variables_missing') {
        setTyped('')
        void preview.refetch()
      }
      const fields = error.fields ?? {}
      if (Object.keys(fields).length === 0) return false
      onIssues(fields)
      onClose()
      // Errors of fields without their own place in the form are shown as a toast.
      return fields.title !== undefined || fields.recipients !== undefined
    },
  })
  const count = preview.data?.recipients ?? 0
  const many = count >= manyRecipients
  const approved = approveAbove === null || count <= approveAbove
  const lacking = preview.data?.lacking ?? []
  const ready =
    count > 0 &&
    lacking.length === 0 &&
    (!many || typed.trim() === String(count)) &&
    !preview.isFetching
  return (
    <Sheet
      open
      onClose={onClose}
      title={draft.day ? m.sending_ask_later() : m.sending_ask()}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.ui_cancel()}
          </Button>
          <Button
            busy={isPending}
            disabled={!ready}
            onClick={() => mutate({ body: bodyOf(draft, count, rights) })}
          >
            {approved ? (draft.day ? m.sending_schedule() : m.sending_send()) : m.sending_submit()}
          </Button>
        </>
      }
    >
      <QueryView query={preview} skeleton={<Skeleton rows={4} label={m.shell_loading()} />}>
        {(shown) => (
          <div className="sending-preview">
            <Figures preview={shown} />
            {lacking.length > 0 ? <MissingVariables list={lacking} /> : null}
            {reading ? (
              <PreviewAs written={{ ...textsOf(draft), recipients, variables: draft.variables }} />
            ) : asMember ? null : (
              <Button kind="plain" wide onClick={() => setReading(true)}>
                {m.sending_templates_preview()}
              </Button>
            )}
            {approved ? null : (
              <p className="sending-note">
                {m.sending_needs_approval({ count: approveAbove ?? 0 })}
              </p>
            )}
            {many ? (
              <Field
                label={m.sending_type_number({ count })}
                inputMode="numeric"
                value={typed}
                onValue={setTyped}
              />
            ) : null}
          </div>
        )}
      </QueryView>
    </Sheet>
  )
}

/** Reported before sending, so that nobody gets a text with gaps. */
function MissingVariables({ list }: { list: SendingPreview['lacking'] }) {
  return (
    <div className="sending-note" role="alert">
      {list.map(({ variable, count, examples }) => (
        <p key={variable}>
          {m.sending_lacking({ count, name: memberVariableNames[variable]() })}
          <span className="muted"> {examples.join(m.sending_name_separator())}</span>
        </p>
      ))}
      <p>{m.sending_lacking_hint()}</p>
    </div>
  )
}

const textsOf = ({ format, title, titleEn, content, contentEn }: Draft) => ({
  format,
  title: title.trim(),
  titleEn: titleEn.trim(),
  content,
  contentEn,
})

/** Messages between members have no variables: braces are sent as written. */
const variablesOf = (draft: Draft, { asMember }: Rights) => {
  const { ofMembers, ofAuthor } = usedIn(draft)
  const used = [...ofMembers, ...ofAuthor]
  if (asMember || used.length === 0) return {}
  return {
    variables: Object.fromEntries(
      used.flatMap((name) => {
        const value = draft.variables[name]?.trim()
        return value ? [[name, value]] : []
      }),
    ),
  }
}

export const bodyOf = (draft: Draft, expected: number, rights: Rights) => ({
  key: draft.key,
  kind: draft.kind,
  url: draft.url.trim(),
  files: draft.files,
  choices: draft.choices.filter(({ text }) => text.trim()),
  ...(Number(draft.perMinute) > 0 && { perMinute: Math.round(Number(draft.perMinute)) }),
  ...textsOf(draft),
  ...variablesOf(draft, rights),
  channels: draft.channels,
  recipients: draft.recipients.map(recipientOf),
  confirm: draft.confirm,
  expected,
  ...(draft.day && { sendTime: `${draft.day}T${draft.time}` }),
})

const reasons = {
  unknown: m.sending_left_unknown,
  closed: m.sending_left_closed,
  outside: m.sending_left_outside,
  declined: m.sending_left_declined,
  format: m.sending_left_format,
  closedGroup: m.sending_left_closed_group,
}

/** Lists, courses and events are reported by their id; show their name instead. */
const nameOf = (example: string) =>
  getDraft().recipients.find(
    (one) =>
      ('listId' in one && one.listId === example) ||
      ('courseId' in one && one.courseId === example) ||
      ('eventId' in one && one.eventId === example),
  )?.name ?? example

function Figures({ preview }: { preview: SendingPreview }) {
  const { recipients, external, channels, leftOut } = preview
  return (
    <>
      <p className="sending-preview-count">
        {recipients === 0
          ? m.sending_reaches_nobody()
          : m.sending_reaches({ count: formatNumber(recipients) })}
        {external > 0 ? (
          <span className="muted">
            {m.sending_reaches_external({ count: formatNumber(external) })}
          </span>
        ) : null}
      </p>
      {channels.length > 0 ? (
        <ul className="sending-preview-list">
          {channels.map(({ channel, reached, off, missing }) => (
            <li key={channel}>
              <span>{channelName(channel)}</span>
              <span className="num">{m.sending_reached({ count: reached })}</span>
              <span className="muted">
                {[
                  off > 0 ? m.sending_off({ count: off }) : '',
                  missing > 0 ? m.sending_missing({ count: missing }) : '',
                ]
                  .filter(Boolean)
                  .join(m.sending_name_separator())}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {leftOut.length > 0 ? (
        <ul className="sending-left-out">
          {leftOut.map(({ reason, count, examples }) => (
            <li key={reason}>
              {reasons[reason]({ count })}
              <span className="muted">{examples.map(nameOf).join(m.sending_name_separator())}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
