import './evaluate-page.css'
import { minShown } from '@atrium/contract/services/evaluation'
import { useState } from 'react'
import { isMissing, MissingService } from '#domains/services/service-opening/missing-service.tsx'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { formatDecimal } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Rate } from '#ui/form/rate.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { EvaluationForm } from './evaluation-form.tsx'
import {
  useOpinions,
  useOwnEvaluation,
  useScore,
  useStandardAverages,
} from './evaluation-queries.ts'
import { OpinionText } from './opinion-text.tsx'

/** The ratings of a service, and the form for the member's own. */
export default function EvaluatePage() {
  const { serviceId } = useSearch('/pages/service/evaluate')
  const mine = useOwnEvaluation(serviceId)
  const [editing, setEditing] = useState(false)
  const { open, opening } = useOpenService()
  const reload = async () => void (await mine.refetch())
  const scored = useScores(mine.data?.object)
  return (
    <Page {...(editing ? {} : { onRefresh: reload })}>
      <div className="column stack">
        {isMissing(mine.error) ? (
          <MissingService error={mine.error} serviceId={serviceId} />
        ) : (
          <QueryView
            query={scored ? mine : { ...mine, data: undefined, isError: false }}
            skeleton={<Skeleton rows={4} height={110} label={m.shell_loading()} />}
            isEmpty={({ object }) => object.mode === 'off'}
            empty={
              <Empty icon="star" title={m.evaluation_off()}>
                {m.evaluation_off_text()}
              </Empty>
            }
          >
            {({ object, used, evaluation }) => (
              <>
                <Card title={<Bilingual zh={object.name} en={object.nameEn} />}>
                  <Scores code={object.code} detailed={object.mode === 'detailed'} />
                </Card>
                <Card title={m.evaluation_mine()}>
                  {editing ? (
                    <EvaluationForm
                      serviceId={serviceId}
                      standards={object.standards}
                      previous={evaluation}
                      onDone={() => setEditing(false)}
                    />
                  ) : evaluation ? (
                    <div className="stack">
                      {evaluation.hiddenReason ? (
                        <div className="opinion-hidden" role="note">
                          <Icon name="warning" />
                          <p>
                            <strong>{m.evaluation_hidden()}</strong>{' '}
                            {m.evaluation_hidden_text({ reason: evaluation.hiddenReason })}
                          </p>
                        </div>
                      ) : null}
                      <OpinionText
                        opinion={{ ...evaluation, day: evaluation.updatedAt.slice(0, 10) }}
                      />
                      <div>
                        <Button kind="plain" onClick={() => setEditing(true)}>
                          {m.evaluation_edit()}
                        </Button>
                      </div>
                    </div>
                  ) : used ? (
                    <div className="stack">
                      <p className="muted">{m.evaluation_none_own()}</p>
                      <div>
                        <Button onClick={() => setEditing(true)}>{m.evaluation_write()}</Button>
                      </div>
                    </div>
                  ) : (
                    <div className="stack">
                      <p className="muted">{m.evaluation_not_used()}</p>
                      <div>
                        <Button busy={opening === serviceId} onClick={() => open(serviceId)}>
                          {m.services_open()}
                        </Button>
                      </div>
                    </div>
                  )}
                </Card>
                <Opinions code={object.code} name={inLanguage(object.name, object.nameEn)} />
              </>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

/** Whether the scores of a service have loaded: the content below waits for them, to avoid layout shift. */
function useScores(object: { code: string; mode: string } | undefined) {
  const { code = '', mode = 'off' } = object ?? {}
  const score = useScore(code, mode !== 'off')
  const detailed = mode === 'detailed' && typeof score.data?.average === 'number'
  const standards = useStandardAverages(code, detailed)
  return !score.isLoading && !standards.isLoading
}

function Scores({ code, detailed }: { code: string; detailed: boolean }) {
  const score = useScore(code)
  const standards = useStandardAverages(code, detailed && score.data?.average !== null)
  return (
    <QueryView query={score} skeleton={<Skeleton rows={1} height={44} label={m.shell_loading()} />}>
      {({ average, count }) =>
        average === null || count === null ? (
          <p className="muted">{m.evaluation_few_text({ count: minShown })}</p>
        ) : (
          <div className="scores">
            <p className="scores-head">
              <span className="scores-average num" aria-hidden="true">
                {formatDecimal(average)}
              </span>
              <Rate label={m.evaluation_average()} value={average} />
              <span className="muted num">{m.evaluation_count({ count })}</span>
            </p>
            {standards.data && standards.data.length > 0 ? (
              <dl className="scores-standards">
                {standards.data.map((standard) => (
                  <div key={standard.code}>
                    <dt>
                      <Bilingual zh={standard.name} en={standard.nameEn} />
                    </dt>
                    <dd className="num">
                      {standard.average === null ? '–' : formatDecimal(standard.average)}
                    </dd>
                  </div>
                ))}
              </dl>
            ) : null}
          </div>
        )
      }
    </QueryView>
  )
}

function Opinions({ code, name }: { code: string; name: string }) {
  const opinions = useOpinions(code)
  return (
    <section>
      <h2 className="evaluation-opinions-heading">{m.evaluation_opinions()}</h2>
      <QueryView
        query={opinions}
        skeleton={<Skeleton rows={4} height={92} label={m.shell_loading()} />}
        isEmpty={({ pages }) => pages[0]?.list.length === 0}
        empty={
          <Empty icon="message" title={m.evaluation_few()}>
            {m.evaluation_few_text({ count: minShown })}
          </Empty>
        }
      >
        {({ pages }) => (
          <LongList
            className="evaluation-opinions"
            label={m.evaluation_opinions_of({ name })}
            query={opinions}
            items={pages.flatMap(({ list }) => list)}
            keyOf={({ id }) => id}
            height={92}
          >
            {(opinion) => <OpinionText opinion={opinion} />}
          </LongList>
        )}
      </QueryView>
    </section>
  )
}
