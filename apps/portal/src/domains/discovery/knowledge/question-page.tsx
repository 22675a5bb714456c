import './question-page.css'
import { knowledge } from '@atrium/contract/discovery/knowledge'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '#lib/format.ts'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { openAddress } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Facts } from '#ui/facts.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'

/** A question of the knowledge base with its full answer. */
export default function QuestionPage() {
  const { id } = useSearch('/pages/robot/question')
  const question = useQuery(q(knowledge.read, { params: { id } }))
  return (
    <Page onRefresh={question.refetch}>
      <div className="column stack">
        <QueryView query={question} skeleton={<Skeleton height={240} label={m.shell_loading()} />}>
          {(data) => (
            <article className="card">
              <h2 className="question-title" lang={foreignLang(data.question, data.questionEn)}>
                {inLanguage(data.question, data.questionEn)}
              </h2>
              <p className="question-facts muted">
                <Facts
                  of={[
                    inLanguage(data.departmentName, data.departmentNameEn),
                    m.knowledge_updated({ day: formatDay(data.reviewedAt ?? data.updatedAt) }),
                  ]}
                />
              </p>
              <p className="question-answer" lang={foreignLang(data.answer, data.answerEn)}>
                {inLanguage(data.answer, data.answerEn)}
              </p>
              {data.url ? (
                <Button onClick={() => openAddress(data.url)}>{m.knowledge_go()}</Button>
              ) : null}
              <Judgement key={id} id={id} />
            </article>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** Asks whether the answer helped; if not, offers further help. */
function Judgement({ id }: { id: string }) {
  const session = useSession()
  const { isShowRobot } = useSettings()
  const [rating, setRating] = useState<boolean>()
  const { mutate, isPending } = useAction(knowledge.judge, {
    done: (_, { body }) => setRating(body.helpful),
  })
  if (!session) return null
  const rate = (helpful: boolean) => mutate({ params: { id }, body: { helpful } })
  return (
    <fieldset className="question-judgement">
      <legend className="unseen">{m.knowledge_helped()}</legend>
      {rating === undefined ? (
        <>
          <span aria-hidden="true">{m.knowledge_helped()}</span>
          <Button kind="plain" small busy={isPending} onClick={() => rate(true)}>
            {m.knowledge_yes()}
          </Button>
          <Button kind="plain" small busy={isPending} onClick={() => rate(false)}>
            {m.knowledge_no()}
          </Button>
        </>
      ) : (
        <span role="status">{m.knowledge_thanks()}</span>
      )}
      {rating === false && isShowRobot !== '0' ? (
        <Link className="button button-plain button-small" to="/pages/robot/robot">
          {m.knowledge_ask_further()}
        </Link>
      ) : null}
    </fieldset>
  )
}
