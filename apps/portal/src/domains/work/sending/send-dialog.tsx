import { type SendingPreview, sending } from '@atrium/contract/work/sending'
import { useState } from 'react'
import { channelName } from '#domains/work/notifications/channel-name.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { clearDraft, type Draft, getDraft, recipientOf, useDraft } from './draft.ts'
import { usePreview } from './sending-queries.ts'

/** From so many on the number is typed: nobody writes to everybody by mistake. */
const manyRecipients = 200

type SendDialogProps = {
  /** with more recipients somebody else approves it first; null: never */
  approveAbove: number | null
  onClose: () => void
  onSent: (sendId: string) => void
  /** what is wrong with fields of the form */
  onIssues: (issues: Record<string, string>) => void
}

/** Whom a message reaches, before it goes out. */
export function SendDialog({ approveAbove, onClose, onSent, onIssues }: SendDialogProps) {
  const draft = useDraft()
  const preview = usePreview(draft.recipients.map(recipientOf), draft.channels, draft.kind)
  const [typed, setTyped] = useState('')
  const { mutate, isPending } = useAction(sending.send, {
    refresh: [sending.list],
    done({ sendId, status }) {
      if (status === 'pending') toast(m.sending_is_submitted())
      else toast(draft.day ? m.sending_is_scheduled() : m.sending_is_sent())
      clearDraft()
      onSent(sendId)
    },
    failed(error) {
      if (error.code === 'sending.changed') {
        setTyped('')
        void preview.refetch()
      }
      const fields = error.fields ?? {}
      if (Object.keys(fields).length === 0) return false
      onIssues(fields)
      onClose()
      // A field without a place of its own in the form is told as a toast.
      return fields.title !== undefined || fields.recipients !== undefined
    },
  })
  const count = preview.data?.recipients ?? 0
  const many = count >= manyRecipients
  const approved = approveAbove === null || count <= approveAbove
  const ready = count > 0 && (!many || typed.trim() === String(count)) && !preview.isFetching
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
            onClick={() => mutate({ body: bodyOf(draft, count) })}
          >
            {approved ? (draft.day ? m.sending_schedule() : m.sending_send()) : m.sending_submit()}
          </Button>
        </>
      }
    >
      <QueryView query={preview} skeleton={<Skeleton rows={4} label={m.shell_loading()} />}>
        {(shown) => (
          <div className="sending-preview">
            <Figures shown={shown} />
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

export const bodyOf = (draft: Draft, expected: number) => ({
  key: draft.key,
  kind: draft.kind,
  url: draft.url.trim(),
  files: draft.files,
  choices: draft.choices.filter(({ text }) => text.trim()),
  ...(Number(draft.perMinute) > 0 && { perMinute: Math.round(Number(draft.perMinute)) }),
  title: draft.title.trim(),
  titleEn: draft.titleEn.trim(),
  content: draft.content,
  contentEn: draft.contentEn,
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

/** Lists, courses and events are told by their key, and known by their name. */
const nameOf = (example: string) =>
  getDraft().recipients.find(
    (one) =>
      ('listId' in one && one.listId === example) ||
      ('courseId' in one && one.courseId === example) ||
      ('eventId' in one && one.eventId === example),
  )?.name ?? example

function Figures({ shown }: { shown: SendingPreview }) {
  const { recipients, external, channels, leftOut } = shown
  return (
    <>
      <p className="sending-preview-count">
        {recipients === 0 ? m.sending_reaches_nobody() : m.sending_reaches({ count: recipients })}
        {external > 0 ? (
          <span className="muted">{m.sending_reaches_external({ count: external })}</span>
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
