import { articleReview } from '@atrium/contract/content/editorial-review.operator'
import { dayIn } from '@atrium/rules/day-in'
import { parseZonedTime } from '@atrium/rules/parse-zoned-time'
import { useId, useState } from 'react'
import { formatDayAndTime, formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { type ArticleLine, cacheManaged, changed } from './workbench-queries.ts'

/** A moment as the value of a datetime-local input, in the institution's zone; empty for null. */
export const localTime = (at: string | null, zone: string) =>
  at ? `${dayIn(Date.parse(at), zone)}T${formatTime(at, zone).padStart(5, '0')}` : ''

/** The ISO 8601 moment of such a value; empty if the value is empty or invalid. */
export function instantOf(local: string, zone: string) {
  const at = local ? parseZonedTime(`${local.replace('T', ' ')}:00`, zone) : Number.NaN
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}

type Planned = Pick<ArticleLine, 'id' | 'revision' | 'showing' | 'plannedAt' | 'publishedAt'>

export const usePlan = (done?: () => void) =>
  useAction(articleReview.plan, {
    invalidates: changed,
    done(article) {
      cacheManaged(article)
      toast(m.editorial_planned())
      done?.()
    },
  })

/** Sets, changes or removes the planned time of publication. */
export function PlanField({ article, onDone }: { article: Planned; onDone?: () => void }) {
  const id = useId()
  const { timeZone } = useSystem()
  const scheduled = article.showing === 'scheduled'
  const at = scheduled ? article.publishedAt : article.plannedAt
  const [open, setOpen] = useState(onDone !== undefined)
  const [time, setTime] = useState(() => localTime(at, timeZone))
  const close = () => {
    setOpen(false)
    onDone?.()
  }
  const plan = usePlan(close)
  const send = (moment: string | null) =>
    plan.mutate({ params: { id: article.id }, body: { revision: article.revision, at: moment } })
  if (!open)
    return (
      <p className="workbench-plan">
        {at && !scheduled ? (
          <span>{m.editorial_planned_for({ time: formatDayAndTime(at, timeZone) })}</span>
        ) : null}
        <Button
          kind="plain"
          small
          onClick={() => {
            setTime(localTime(at, timeZone))
            setOpen(true)
          }}
        >
          {at ? m.editorial_plan_move() : m.editorial_plan()}
        </Button>
      </p>
    )
  return (
    <div className="workbench-block">
      <div className="field">
        <label htmlFor={id}>{m.editorial_plan_when()}</label>
        <input
          id={id}
          type="datetime-local"
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
        <p className="muted">{scheduled ? m.editorial_plan_moves() : m.editorial_plan_hint()}</p>
      </div>
      <div className="workbench-actions">
        <Button
          busy={plan.isPending}
          disabled={!instantOf(time, timeZone)}
          onClick={() => send(instantOf(time, timeZone))}
        >
          {m.editorial_plan_done()}
        </Button>
        {at && !scheduled ? (
          <Button kind="plain" busy={plan.isPending} onClick={() => send(null)}>
            {m.editorial_plan_remove()}
          </Button>
        ) : null}
        <Button kind="plain" onClick={close}>
          {m.editorial_cancel()}
        </Button>
      </div>
    </div>
  )
}
