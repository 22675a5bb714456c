import './outage.css'
import type { Outage } from '@atrium/contract/services/health'
import { isUnavailable } from '@atrium/rules/outage'
import { formatDayAndTime, formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Icon } from '#ui/media/icon.tsx'
import { useOutage } from './use-outage.ts'

type OutageLineProps = { outage: Outage | undefined }

/** The time of an outage and its owner's message; renders nothing if there is no outage. */
export function OutageLine({ outage }: OutageLineProps) {
  const state = useOutage(outage)
  const { timeZone } = useSystem()
  if (!outage || state === 'over') return null
  const moment = (at: string) => shortMoment(at, timeZone)
  const { since, until, text, textEn } = outage
  const operatorText = inLanguage(text, textEn)
  const words = {
    down: () => m.health_down({ time: moment(since) }),
    slow: () => m.health_slow(),
    maintenance: () => m.health_maintenance({ time: moment(until ?? since) }),
    planned: () => m.health_planned({ from: moment(since), until: moment(until ?? since) }),
  }
  return (
    <span className={isUnavailable(state) ? 'outage outage-out' : 'outage'}>
      <Icon name={state === 'planned' ? 'clock' : 'warning'} />
      <span>
        {words[state]()}
        {operatorText ? <span className="outage-said">{operatorText}</span> : null}
      </span>
    </span>
  )
}

/** Only a mark, as a tile has no room for more. */
export function OutageMark({ outage }: OutageLineProps) {
  return isUnavailable(useOutage(outage)) ? (
    <span className="outage-mark">
      <Icon name="warning" />
      <span className="unseen">{m.health_mark()}</span>
    </span>
  ) : null
}

/** 10:20; with the day if it is not today. */
function shortMoment(at: string, zone: string) {
  const dayOf = (moment: number | string) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: zone }).format(new Date(moment))
  return dayOf(at) === dayOf(Date.now()) ? formatTime(at, zone) : formatDayAndTime(at, zone)
}
