import './desk.css'
import { type DeskCase, desk, type OwnDesk } from '@atrium/contract/discovery/desk'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { LineView } from '#domains/discovery/robot/line-view.tsx'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Facts } from '#ui/facts.tsx'
import { ActionSheet } from '#ui/feedback/action-sheet.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'

/** Poll interval for the member's messages, in ms. */
const every = 4000

/** One dialog at a desk, for the agent who answers it. */
export default function DeskDialogPage() {
  const { dialogId } = useSearch('/pages/robot/deskDialog')
  const read = useQuery({ ...q(desk.read, { query: { dialogId } }), refetchInterval: every })
  const desks = useQuery(q(desk.desks))
  const end = useRef<HTMLDivElement>(null)
  const count = read.data?.lines.length ?? 0
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [count])
  const deskCase = read.data?.case
  return (
    <Page title={deskCase?.title}>
      <div className="column stack">
        <QueryView
          query={read}
          skeleton={<Skeleton rows={4} height={72} label={m.shell_loading()} />}
        >
          {({ case: { member, ...rest }, lines }) => (
            <>
              <p className="desk-member muted">
                <Facts
                  of={[
                    inLanguage(member.name, member.nameEn),
                    inLanguage(member.organizationName, member.organizationNameEn),
                    rest.score !== null && m.desk_score({ score: rest.score }),
                  ]}
                />
              </p>
              <div className="chat-lines" role="log" aria-label={m.robot_conversation()}>
                {lines.map((line) => (
                  <LineView key={line.id} line={line} dialogId={dialogId} reader="agent" />
                ))}
                <div ref={end} />
              </div>
            </>
          )}
        </QueryView>
      </div>
      {deskCase ? (
        <Bar deskCase={deskCase} ownDesk={desks.data?.find(({ id }) => id === deskCase.deskId)} />
      ) : null}
    </Page>
  )
}

const changed = [desk.read, desk.queue, desk.desks]

function Bar({ deskCase, ownDesk }: { deskCase: DeskCase; ownDesk: OwnDesk | undefined }) {
  const { mutate, isPending } = useAction(desk.take, { invalidates: changed })
  if (deskCase.state === 'closed') return null
  if (deskCase.state === 'waiting')
    return (
      <div className="bottom-bar">
        <Button
          wide
          busy={isPending}
          onClick={() => mutate({ body: { dialogId: deskCase.dialogId } })}
        >
          {m.desk_take()}
        </Button>
      </div>
    )
  return deskCase.mine ? (
    <Reply deskCase={deskCase} ownDesk={ownDesk} />
  ) : (
    <div className="bottom-bar">
      <span className="desk-has">
        {m.desk_has({ name: inLanguage(deskCase.agentName, deskCase.agentNameEn) })}
      </span>
      <HandOver deskCase={deskCase} ownDesk={ownDesk} />
    </div>
  )
}

function Reply({ deskCase, ownDesk }: { deskCase: DeskCase; ownDesk: OwnDesk | undefined }) {
  const { dialogId } = deskCase
  const [text, setText] = useState('')
  const reply = useAction(desk.reply, {
    invalidates: changed,
    done() {
      deleteDraft(`desk.reply ${dialogId}`)
      setText('')
    },
  })
  const close = useAction(desk.close, {
    invalidates: changed,
    done: () => toast(m.desk_was_closed()),
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim()) reply.mutate({ body: { dialogId, text } })
  }
  return (
    <DraftForm
      draft={`desk.reply ${dialogId}`}
      quiet
      className="bottom-bar desk-reply"
      onSubmit={send}
    >
      <TextArea
        label={m.desk_reply_label()}
        value={text}
        onValue={setText}
        maxLength={2000}
        rows={2}
      />
      <div className="chat-actions">
        <Phrases deskId={deskCase.deskId} text={text} onChoose={setText} />
        <HandOver deskCase={deskCase} ownDesk={ownDesk} />
        <Button
          kind="plain"
          small
          busy={close.isPending}
          onClick={() => close.mutate({ body: { dialogId } })}
        >
          {m.desk_close()}
        </Button>
        <Button type="submit" busy={reply.isPending}>
          {m.desk_reply()}
        </Button>
      </div>
    </DraftForm>
  )
}

type PhrasesProps = { deskId: string; text: string; onChoose: (text: string) => void }

/** Saved answers, and a button to save this one. */
function Phrases({ deskId, text, onChoose }: PhrasesProps) {
  const [open, setOpen] = useState(false)
  const { data } = useQuery({ ...q(desk.phrases, { query: { deskId } }), enabled: open })
  const add = useAction(desk.addPhrase, {
    invalidates: [desk.phrases],
    done: () => toast(m.desk_saved()),
  })
  const title = [...text.trim()].slice(0, 20).join('')
  return (
    <>
      <Button kind="plain" small onClick={() => setOpen(true)}>
        {m.desk_phrases()}
      </Button>
      <ActionSheet
        open={open}
        onClose={() => setOpen(false)}
        title={m.desk_phrases()}
        actions={[
          ...(data ?? []).map((phrase) => ({
            icon: 'text' as const,
            label: phrase.title,
            onSelect: () => onChoose(phrase.text),
          })),
          ...(title
            ? [
                {
                  icon: 'plus' as const,
                  label: m.desk_save({ title }),
                  onSelect: () => add.mutate({ body: { deskId, title, text } }),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}

/** Hands the dialog to a colleague at the desk (or to oneself), or to another desk. */
function HandOver({ deskCase, ownDesk }: { deskCase: DeskCase; ownDesk: OwnDesk | undefined }) {
  const [open, setOpen] = useState(false)
  const { mutate, isPending } = useAction(desk.handOver, {
    invalidates: changed,
    done: (_, { body }) => {
      toast(m.desk_handed())
      // After moving to another desk, this agent may no longer read it.
      if (deskCase.mine || body.deskId) back()
    },
  })
  if (!ownDesk || (ownDesk.agents.length < 2 && ownDesk.otherDesks.length === 0)) return null
  return (
    <>
      <Button kind="plain" small busy={isPending} onClick={() => setOpen(true)}>
        {m.desk_hand_over()}
      </Button>
      <ActionSheet
        open={open}
        onClose={() => setOpen(false)}
        title={m.desk_hand_over()}
        actions={[
          ...(ownDesk.agents.length < 2 ? [] : ownDesk.agents).map(({ id, name, nameEn }) => ({
            icon: 'person' as const,
            label: inLanguage(name, nameEn),
            onSelect: () => mutate({ body: { dialogId: deskCase.dialogId, agentId: id } }),
          })),
          ...ownDesk.otherDesks.map(({ id, name, nameEn }) => ({
            icon: 'chat' as const,
            label: inLanguage(name, nameEn),
            onSelect: () => mutate({ body: { dialogId: deskCase.dialogId, deskId: id } }),
          })),
        ]}
      />
    </>
  )
}
