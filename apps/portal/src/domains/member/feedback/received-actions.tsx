import { feedbackConsole, type ReceivedFeedback } from '@atrium/contract/member/feedback.operator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Dialog, Sheet } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { changedMeanwhile, receivedChanged } from './inbox-queries.ts'

type ActionProps = { feedback: ReceivedFeedback }

/** Actions for a feedback besides answering it. */
export const ReceivedActions = ({ feedback }: ActionProps) => (
  <div className="feedback-actions">
    {feedback.state === 'waiting' ? <Accept feedback={feedback} /> : null}
    <Forward feedback={feedback} />
    {feedback.duplicates === 0 ? <Merge feedback={feedback} /> : null}
    {feedback.state === 'closed' ? null : <Close feedback={feedback} />}
    {feedback.answeredAt === null ? null : <Publish feedback={feedback} />}
  </div>
)

function Accept({ feedback: { id, revision } }: ActionProps) {
  const { mutate, isPending } = useAction(feedbackConsole.setState, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done: () => toast(m.feedback_taken_on()),
  })
  return (
    <Button
      kind="plain"
      busy={isPending}
      onClick={() => mutate({ params: { id }, body: { revision, state: 'handling' } })}
    >
      {m.feedback_take_on()}
    </Button>
  )
}

function Close({ feedback: { id, revision } }: ActionProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { mutate, isPending } = useAction(feedbackConsole.setState, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done() {
      setIsConfirming(false)
      toast(m.feedback_closed_now())
    },
  })
  return (
    <>
      <Button kind="plain" onClick={() => setIsConfirming(true)}>
        {m.feedback_close()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.feedback_close_sure()}
        actions={
          <Button
            kind="danger"
            busy={isPending}
            onClick={() => mutate({ params: { id }, body: { revision, state: 'closed' } })}
          >
            {m.feedback_close()}
          </Button>
        }
      >
        {m.feedback_close_text()}
      </Dialog>
    </>
  )
}

function Publish({ feedback: { id, revision, published, mayPublish } }: ActionProps) {
  const { mutate, isPending } = useAction(feedbackConsole.publish, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done: (now) => toast(now.published ? m.feedback_now_public() : m.feedback_now_hidden()),
  })
  if (!mayPublish) return <p className="feedback-note muted">{m.feedback_may_not_publish()}</p>
  return (
    <Button
      kind="plain"
      busy={isPending}
      onClick={() => mutate({ params: { id }, body: { revision, published: !published } })}
    >
      {published ? m.feedback_unpublish() : m.feedback_publish()}
    </Button>
  )
}

const nowhere = ''
const institution = '*'

function Forward({ feedback: { id, revision, organization } }: ActionProps) {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(nowhere)
  const [missing, setMissing] = useState(false)
  const places = useQuery({ ...q(feedbackConsole.destinations), enabled: open })
  const { mutate, isPending } = useAction(feedbackConsole.forward, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done() {
      toast(m.feedback_handed_on())
      back()
    },
  })
  const forward = () => {
    if (chosen === nowhere) return setMissing(true)
    mutate({
      params: { id },
      body: { revision, organization: chosen === institution ? null : chosen },
    })
  }
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)}>
        {m.feedback_hand_on()}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={m.feedback_hand_on()}
        actions={
          <Button busy={isPending} onClick={forward}>
            {m.feedback_hand_on()}
          </Button>
        }
      >
        <div className="stack">
          <p>{m.feedback_hand_text()}</p>
          <QueryView query={places}>
            {(list) => (
              <SelectField
                label={m.feedback_hand_to()}
                value={chosen}
                aria-invalid={missing ? true : undefined}
                onValue={(value) => {
                  setMissing(false)
                  setChosen(value)
                }}
                note={
                  missing ? (
                    <p className="field-error" role="alert">
                      {m.feedback_hand_needs()}
                    </p>
                  ) : null
                }
              >
                <option value={nowhere}>—</option>
                {organization === null ? null : (
                  <option value={institution}>{m.feedback_to_institution()}</option>
                )}
                {list
                  .filter(({ code }) => code !== organization)
                  .map(({ code, name, nameEn }) => (
                    <option key={code} value={code}>
                      {inLanguage(name, nameEn)}
                    </option>
                  ))}
              </SelectField>
            )}
          </QueryView>
        </div>
      </Dialog>
    </>
  )
}

function Merge({ feedback }: ActionProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)}>
        {m.feedback_merge()}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={m.feedback_merge_title()}>
        <Same feedback={feedback} onDone={() => setOpen(false)} />
      </Sheet>
    </>
  )
}

/** Candidates for merging: the newest, or search results. */
function Same({ feedback, onDone }: ActionProps & { onDone: () => void }) {
  const [keyWords, setKeyWords] = useState('')
  const found = useQuery(
    q(feedbackConsole.list, { query: { pageSize: 30, ...(keyWords && { keyWords }) } }),
  )
  const { mutate, isPending } = useAction(feedbackConsole.merge, {
    invalidates: receivedChanged,
    failed: changedMeanwhile,
    done() {
      onDone()
      toast(m.feedback_merged_now())
    },
  })
  return (
    <div className="stack">
      <SearchForm
        focus={false}
        label={m.feedback_merge_search()}
        keyWords={keyWords}
        onSearch={setKeyWords}
      />
      <QueryView
        query={found}
        isEmpty={({ list }) => list.every(({ id }) => id === feedback.id)}
        empty={<p className="muted">{m.feedback_merge_none()}</p>}
      >
        {({ list }) => (
          <ul className="feedback-same">
            {list
              .filter(({ id }) => id !== feedback.id)
              .map(({ id, content, author }) => (
                <li key={id}>
                  <button
                    type="button"
                    disabled={isPending}
                    onClick={() =>
                      mutate({
                        params: { id: feedback.id },
                        body: { revision: feedback.revision, into: id },
                      })
                    }
                  >
                    <span className="two-lines" lang={userTextLang(content)}>
                      {content}
                    </span>
                    <span className="muted">{inLanguage(author.name, author.nameEn)}</span>
                  </button>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
    </div>
  )
}
