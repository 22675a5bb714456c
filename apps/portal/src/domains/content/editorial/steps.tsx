import { announcementConsole } from '@atrium/contract/content/announcements'
import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { useId, useState } from 'react'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { localTime, PlanField } from './plan-field.tsx'
import { StatePills } from './state-pills.tsx'
import {
  cacheManaged,
  changed,
  latestManaged,
  type Managed,
  useReaders,
} from './workbench-queries.ts'

type StepsProps = {
  article: Managed
  /** Saves the text; false if it cannot be submitted as it is. */
  beforeSubmit: () => Promise<boolean>
}

/** The state of an article and the possible next steps. */
export function Steps({ article, beforeSubmit }: StepsProps) {
  const { timeZone } = useSystem()
  const { state, showing, reviewNote, publishedAt } = article
  const isShown = showing === 'shown'
  // Imported articles that were never edited here have only one version.
  const isNewest = (article.liveVersion ?? article.version) === article.version
  return (
    <>
      <Card title={m.editorial_progress()}>
        <p className="workbench-pills">
          <StatePills {...article} />
        </p>
        {showing === 'scheduled' && publishedAt ? (
          <p>{m.editorial_shows_at({ time: formatDayAndTime(publishedAt, timeZone) })}</p>
        ) : null}
        {(isShown || showing === 'scheduled') && !isNewest ? (
          <p className="muted">{m.editorial_newer()}</p>
        ) : null}
        {state === 'refused' ? (
          <p className="workbench-note">{m.editorial_refused_because({ note: reviewNote })}</p>
        ) : null}
        <div className="workbench-actions">
          {state === 'draft' || state === 'refused' ? (
            <Submit article={article} beforeSubmit={beforeSubmit} />
          ) : null}
          {state === 'review' ? <Review key={article.revision} article={article} /> : null}
          {state === 'approved' && !(isShown && isNewest) ? (
            <Publish key={article.revision} article={article} />
          ) : null}
          {isShown || showing === 'scheduled' ? <Withdraw article={article} /> : null}
        </div>
        {isShown ? null : <PlanField article={article} />}
      </Card>
      {isShown && article.kind === 'announcement' && article.needsConfirmation ? (
        <Readers id={article.id} />
      ) : null}
    </>
  )
}

const after = (words: () => string) => ({
  invalidates: changed,
  done: (article: Managed) => {
    cacheManaged(article)
    toast(words())
  },
})
const at = ({ id, revision }: Managed) => ({ params: { id }, body: { revision } })

function Submit({ article, beforeSubmit }: StepsProps) {
  const submit = useAction(newsConsole.submit, after(m.editorial_submitted))
  const send = async () => {
    if (await beforeSubmit()) submit.mutate(at(latestManaged(article)))
  }
  return (
    <Button busy={submit.isPending} onClick={() => void send()}>
      {m.editorial_submit()}
    </Button>
  )
}

/** Writers cannot review their own text. */
function Review({ article }: { article: Managed }) {
  const approve = useAction(newsConsole.approve, after(m.editorial_approved))
  const refuse = useAction(newsConsole.refuse, after(m.editorial_refused))
  const [note, setNote] = useState<string>()
  if (article.ownText) return <p className="muted">{m.editorial_somebody_else()}</p>
  if (!article.mayReview) return <p className="muted">{m.editorial_named_reviewers()}</p>
  if (note !== undefined)
    return (
      <div className="workbench-block">
        <TextArea label={m.editorial_refuse_why()} value={note} onValue={setNote} maxLength={500} />
        <div className="workbench-actions">
          <Button
            kind="danger"
            busy={refuse.isPending}
            disabled={!note.trim()}
            onClick={() =>
              refuse.mutate({
                params: { id: article.id },
                body: { revision: article.revision, note },
              })
            }
          >
            {m.editorial_refuse()}
          </Button>
          <Button kind="plain" onClick={() => setNote(undefined)}>
            {m.editorial_cancel()}
          </Button>
        </div>
      </div>
    )
  return (
    <>
      <Button busy={approve.isPending} onClick={() => approve.mutate(at(article))}>
        {m.editorial_approve()}
      </Button>
      <Button kind="plain" onClick={() => setNote('')}>
        {m.editorial_refuse()}
      </Button>
    </>
  )
}

function Publish({ article }: { article: Managed }) {
  const id = useId()
  const { timeZone } = useSystem()
  const [time, setTime] = useState<string>()
  const publish = useAction(newsConsole.publish, after(m.editorial_published))
  const send = (moment: string | null) =>
    publish.mutate({
      params: { id: article.id },
      body: { revision: article.revision, at: moment },
    })
  if (time === undefined)
    return (
      <>
        <Button busy={publish.isPending} onClick={() => send(null)}>
          {m.editorial_publish()}
        </Button>
        {article.showing === 'shown' ? null : (
          <Button kind="plain" onClick={() => setTime(localTime(article.plannedAt, timeZone))}>
            {m.editorial_schedule()}
          </Button>
        )}
      </>
    )
  // The time is entered in the institution's zone.
  const moment = time ? parseZonedTime(`${time.replace('T', ' ')}:00`, timeZone) : Number.NaN
  return (
    <div className="workbench-block">
      <div className="field">
        <label htmlFor={id}>{m.editorial_schedule_when()}</label>
        <input
          id={id}
          type="datetime-local"
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      <div className="workbench-actions">
        <Button
          busy={publish.isPending}
          disabled={Number.isNaN(moment)}
          onClick={() => send(new Date(moment).toISOString())}
        >
          {m.editorial_schedule_done()}
        </Button>
        <Button kind="plain" onClick={() => setTime(undefined)}>
          {m.editorial_cancel()}
        </Button>
      </div>
    </div>
  )
}

function Withdraw({ article }: { article: Managed }) {
  const withdraw = useAction(newsConsole.withdraw, after(m.editorial_withdrawn_done))
  const pin = useAction(
    newsConsole.pin,
    after(article.pinned ? m.editorial_unpinned : m.editorial_pinned),
  )
  return (
    <>
      <Button
        kind="plain"
        busy={pin.isPending}
        onClick={() =>
          pin.mutate({
            params: { id: article.id },
            body: { revision: article.revision, pinned: !article.pinned },
          })
        }
      >
        {article.pinned ? m.editorial_unpin() : m.editorial_pin()}
      </Button>
      <Button kind="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate(at(article))}>
        {m.editorial_withdraw()}
      </Button>
    </>
  )
}

/** The number of confirmations by organisation, and a reminder for the others. */
function Readers({ id }: { id: string }) {
  const readers = useReaders(id)
  const { timeZone } = useSystem()
  const remind = useAction(announcementConsole.remind, {
    invalidates: [announcementConsole.statistics],
    done: ({ reminded }) => toast(m.editorial_reminded({ count: reminded })),
  })
  return (
    <Card title={m.editorial_readers()}>
      <QueryView query={readers} skeleton={<Skeleton height={160} label={m.shell_loading()} />}>
        {({ confirmed, waiting, organizations, others, remindedAt }) => (
          <>
            <table className="workbench-readers num">
              <thead>
                <tr>
                  <th scope="col">{m.editorial_organization()}</th>
                  <th scope="col">{m.editorial_have_confirmed()}</th>
                  <th scope="col">{m.editorial_not_yet()}</th>
                </tr>
              </thead>
              <tbody>
                {organizations.map((row) => (
                  <tr key={row.code}>
                    <th scope="row">{inLanguage(row.name, row.nameEn)}</th>
                    <td>{formatNumber(row.confirmed)}</td>
                    <td>{formatNumber(row.waiting)}</td>
                  </tr>
                ))}
                {others ? (
                  <tr>
                    <th scope="row">{m.editorial_others({ count: others.organizations })}</th>
                    <td>{formatNumber(others.confirmed)}</td>
                    <td>{formatNumber(others.waiting)}</td>
                  </tr>
                ) : null}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">{m.editorial_total()}</th>
                  <td>{formatNumber(confirmed)}</td>
                  <td>{formatNumber(waiting)}</td>
                </tr>
              </tfoot>
            </table>
            {remindedAt ? (
              <p className="muted">
                {m.editorial_reminded_at({ time: formatDayAndTime(remindedAt, timeZone) })}
              </p>
            ) : null}
            {waiting > 0 ? (
              <div className="workbench-actions">
                <Button
                  kind="plain"
                  busy={remind.isPending}
                  onClick={() => remind.mutate({ params: { id } })}
                >
                  {m.editorial_remind()}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </QueryView>
    </Card>
  )
}
