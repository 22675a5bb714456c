import { type Feedback, feedback, maxContent } from '@atrium/contract/member/feedback'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Rate } from '#ui/form/rate.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { FeedbackContent, Lines } from './feedback-content.tsx'

const changed = [feedback.own, feedback.read]

/** One of the member's feedbacks with its whole conversation. */
export function OneFeedback({ id }: { id: string }) {
  const query = useQuery(q(feedback.read, { params: { id } }))
  return (
    <Page title={m.feedback_one_title()} onRefresh={() => query.refetch()}>
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={140} label={m.shell_loading()} />}
        >
          {(data) => (
            <>
              <FeedbackContent feedback={data} />
              {data.lines.length > 0 ? <Lines feedback={data} /> : null}
              {data.lines.some(({ author }) => author === 'department') ? (
                <Score feedback={data} />
              ) : null}
              {data.state === 'closed' ? (
                <p className="muted">{m.feedback_closed_note()}</p>
              ) : (
                <More id={id} answered={data.state === 'answered'} />
              )}
              {data.state === 'waiting' && data.lines.every(({ author }) => author === 'member') ? (
                <Withdraw id={id} />
              ) : null}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** Rating of the answer. Set with a tap, and can be changed. */
function Score({ feedback: { id, score } }: { feedback: Feedback }) {
  const { mutate } = useAction(feedback.rate, {
    invalidates: changed,
    queue: 'feedback-score',
    done: () => toast(m.feedback_rated()),
  })
  return (
    <Card>
      <Rate
        label={m.feedback_score()}
        value={score ?? 0}
        onValue={(value) => mutate({ params: { id }, body: { score: value } })}
      />
      <p className="muted">{score ? m.feedback_score_thanks() : m.feedback_score_hint()}</p>
    </Card>
  )
}

function More({ id, answered }: { id: string; answered: boolean }) {
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const { mutate, isPending } = useAction(feedback.write, {
    invalidates: changed,
    done: () => {
      deleteDraft(`feedback.more ${id}`)
      setText('')
      toast(m.feedback_more_sent())
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (text.trim()) mutate({ params: { id }, body: { text } })
  }
  return (
    <DraftForm draft={`feedback.more ${id}`} className="feedback-form" onSubmit={submit} noValidate>
      <TextArea
        label={answered ? m.feedback_more_answered() : m.feedback_more()}
        value={text}
        onValue={(value) => {
          setMissing(false)
          setText(value)
        }}
        maxLength={maxContent}
        rows={3}
        {...(missing && { error: m.feedback_needs_text() })}
      />
      <Button type="submit" kind="plain" busy={isPending}>
        {m.feedback_more_send()}
      </Button>
    </DraftForm>
  )
}

function Withdraw({ id }: { id: string }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(feedback.takeBack, {
    invalidates: [feedback.own],
    done: () => {
      toast(m.feedback_taken_back())
      back()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.feedback_take_back()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.feedback_take_back_sure()}
        actions={
          <Button kind="danger" busy={isPending} onClick={() => mutate({ params: { id } })}>
            {m.feedback_take_back()}
          </Button>
        }
      >
        {m.feedback_take_back_text()}
      </Dialog>
    </>
  )
}
