import '#domains/content/workbench/workbench-page.css'
import { workbench } from '@atrium/contract/content/workbench.operator'
import { evaluations, type WaitingOpinion } from '@atrium/contract/services/evaluation'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { DepartmentPicker } from '#domains/content/workbench/department-picker.tsx'
import { inDepartment } from '#domains/content/workbench/workbench-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate, pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { OpinionText } from './opinion-text.tsx'

const path = '/pages/secondWork/service/opinions'

/** Unanswered ratings of a department's services. */
export default function WaitingPage() {
  const { department } = useSearch(path)
  const query = useInfiniteQuery(pages(evaluations.waiting, { query: inDepartment(department) }))
  return (
    <Page wide onRefresh={query.refetch}>
      <div className="column stack">
        <DepartmentPicker
          department={department}
          onChoose={(code) => redirect(path, { department: code })}
        />
        <p className="muted">{m.evaluation_waiting_note()}</p>
        <QueryView
          query={query}
          skeleton={<Skeleton rows={3} height={140} label={m.shell_loading()} />}
          isEmpty={({ pages: [first] }) => first?.list.length === 0}
          empty={
            <Card>
              <Empty icon="star" title={m.evaluation_waiting_empty()}>
                {m.evaluation_waiting_empty_text()}
              </Empty>
            </Card>
          }
        >
          {({ pages: all }) => (
            <>
              <div className="workbench-parts">
                {all
                  .flatMap(({ list }) => list)
                  .map((opinion) => (
                    <Waiting key={opinion.id} opinion={opinion} />
                  ))}
              </div>
              <ListEnd query={query} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Waiting({ opinion }: { opinion: WaitingOpinion }) {
  const { id, serviceName, serviceNameEn } = opinion
  const name = inLanguage(serviceName, serviceNameEn)
  /** The opinion as it was when the reply was begun: the list may be read again meanwhile. */
  const [answered, setAnswered] = useState<WaitingOpinion>()
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const reply = useAction(evaluations.reply, {
    invalidates: [evaluations.waiting, evaluations.list, workbench.read],
    done() {
      deleteDraft(`evaluation.reply ${id}`)
      toast(m.evaluation_waiting_sent())
    },
    failed({ code }) {
      if (code === 'service.changed_meanwhile') {
        // The entered text is kept for a reply to the new opinion.
        setAnswered(undefined)
        invalidate(evaluations.waiting)
      }
      return false
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!answered) return
    if (!text.trim()) return setError(m.evaluation_waiting_needs())
    reply.mutate({ params: { id }, body: { reply: text.trim(), etag: answered.etag } })
  }
  return (
    <Card title={name}>
      <OpinionText opinion={opinion} />
      {answered ? (
        <DraftForm
          draft={`evaluation.reply ${id}`}
          className="workbench-set"
          onSubmit={send}
          noValidate
        >
          <TextArea
            label={m.evaluation_waiting_reply()}
            value={text}
            onValue={(value) => {
              setError('')
              setText(value)
            }}
            maxLength={500}
            rows={3}
            error={error}
          />
          <div className="workbench-set-actions">
            <Button type="submit" busy={reply.isPending}>
              {m.evaluation_waiting_send()}
            </Button>
            <Button kind="plain" onClick={() => setAnswered(undefined)}>
              {m.evaluation_waiting_cancel()}
            </Button>
          </div>
        </DraftForm>
      ) : (
        <div className="workbench-set-actions">
          <Button
            small
            kind="plain"
            aria-label={m.evaluation_waiting_reply_to({ name })}
            onClick={() => setAnswered(opinion)}
          >
            {m.evaluation_waiting_reply()}
          </Button>
        </div>
      )}
    </Card>
  )
}
