import './feedback.css'
import './inbox.css'
import { feedbackConsole, type ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { FeedbackContent, Lines } from './feedback-content.tsx'
import { changedMeanwhile, receivedChanged } from './inbox-queries.ts'
import { ReceivedActions } from './received-actions.tsx'

/** A feedback received by the user's department, with its conversation and all actions. */
export default function ReceivedPage() {
  const { id } = useSearch('/pages/secondWork/feedback/detail')
  const query = useQuery(q(feedbackConsole.read, { params: { id } }))
  return (
    <Page onRefresh={() => query.refetch()}>
      <div className="column stack">
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={140} label={m.shell_loading()} />}
        >
          {(data) => <Received feedback={data} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Received({ feedback }: { feedback: ReceivedFeedback }) {
  const { author, lines, score, scoreComment, mergedInto, duplicates } = feedback
  const name = inLanguage(author.name, author.nameEn)
  const organization = inLanguage(author.organization, author.organizationEn)
  return (
    <>
      <FeedbackContent
        feedback={feedback}
        author={`${name} · ${author.accountName} · ${organization}`}
      />
      {mergedInto === null ? null : <Merged feedback={feedback} into={mergedInto} />}
      {lines.length > 0 ? <Lines feedback={feedback} author={name} /> : null}
      {score === null ? null : (
        <Card>
          <p className="num">{m.feedback_author_score({ score })}</p>
          {scoreComment ? (
            <p className="feedback-text muted" lang={userTextLang(scoreComment)}>
              {scoreComment}
            </p>
          ) : null}
        </Card>
      )}
      {mergedInto === null ? <AnswerForm key={feedback.revision} feedback={feedback} /> : null}
      {duplicates > 0 ? <Duplicates id={feedback.id} /> : null}
      {mergedInto === null ? <ReceivedActions feedback={feedback} /> : null}
    </>
  )
}

function Merged({
  feedback: { id, revision },
  into,
}: {
  feedback: ReceivedFeedback
  into: string
}) {
  const { mutate, isPending } = useAction(feedbackConsole.merge, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done: () => toast(m.feedback_taken_out()),
  })
  return (
    <Card>
      <p>{m.feedback_is_merged()}</p>
      <div className="feedback-actions">
        <Link
          className="button button-plain"
          to="/pages/secondWork/feedback/detail"
          search={{ id: into }}
        >
          {m.feedback_see_merged()}
        </Link>
        <Button
          kind="plain"
          busy={isPending}
          onClick={() => mutate({ params: { id }, body: { revision, into: null } })}
        >
          {m.feedback_take_out()}
        </Button>
      </div>
    </Card>
  )
}

function AnswerForm({ feedback: { id, revision } }: { feedback: ReceivedFeedback }) {
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const draft = `feedback.answer ${id}`
  const { mutate, isPending } = useAction(feedbackConsole.answer, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done() {
      deleteDraft(draft)
      setText('')
      toast(m.feedback_answer_sent())
    },
  })
  const write = (value: string) => {
    setMissing(false)
    setText(value)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!text.trim())
    if (text.trim()) mutate({ params: { id }, body: { revision, text } })
  }
  return (
    <DraftForm draft={draft} className="feedback-form" onSubmit={submit} noValidate>
      <TextArea
        label={m.feedback_answer_field()}
        value={text}
        onValue={write}
        maxLength={2000}
        rows={4}
        {...(missing && { error: m.feedback_needs_answer() })}
      />
      <p className="muted">{m.feedback_answer_hint()}</p>
      <Button type="submit" busy={isPending}>
        {m.feedback_answer_send()}
      </Button>
    </DraftForm>
  )
}

function Duplicates({ id }: { id: string }) {
  const same = useQuery(q(feedbackConsole.list, { query: { mergedInto: id, pageSize: 100 } }))
  return (
    <Card title={m.feedback_merged_list()}>
      <QueryView query={same}>
        {({ list }) => (
          <ul className="feedback-same">
            {list.map(({ id, content, author }) => (
              <li key={id}>
                <Link to="/pages/secondWork/feedback/detail" search={{ id }}>
                  <span className="two-lines" lang={userTextLang(content)}>
                    {content}
                  </span>
                  <span className="muted">{inLanguage(author.name, author.nameEn)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
