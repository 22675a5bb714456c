import type {
  WorkbenchPart,
  WorkbenchPartAnswer,
} from '@atrium/contract/content/workbench.operator'
import { formatDay, formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { Card } from '#ui/card.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { UserText } from '#ui/user-text.tsx'
import { partTarget } from './workbench-queries.ts'

type Item = WorkbenchPartAnswer['list'][number]
type PartCardProps = { part: WorkbenchPartAnswer; department: string | undefined }

/** The number of pending items of a part, the first ones, and a link to all. */
export function PartCard({ part: { part, failed, count, list }, department }: PartCardProps) {
  const name = partName(part)
  const all = partTarget(part, department)
  return (
    <Card
      title={
        <>
          {name}
          {failed ? null : (
            <>
              {'\u00a0'}
              <span className="workbench-part-count num">{formatNumber(count)}</span>
            </>
          )}
        </>
      }
      aside={
        <HrefLink
          className="workbench-part-all"
          href={all}
          aria-label={m.workbench_all_of({ name })}
        >
          {m.workbench_all()}
          <Icon name="chevron" />
        </HrefLink>
      }
    >
      {failed ? (
        <p className="muted" role="alert">
          {m.workbench_part_failed()}
        </p>
      ) : (
        <ul className="workbench-part-list">
          {list.map((item) => (
            <li key={`${item.id} ${item.at}`}>
              <HrefLink className="workbench-part-row" href={itemTarget(part, item, all)}>
                <span className="two-lines">
                  <UserText>{inLanguage(item.title, item.titleEn)}</UserText>
                </span>
                <Facts part={part} item={item} />
              </HrefLink>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Facts({ part, item }: { part: WorkbenchPart; item: Item }) {
  const { timeZone } = useSystem()
  const { note, noteEn, at, allDay, figure } = item
  const noteText = part === 'services' ? stateName(note) : inLanguage(note, noteEn)
  return (
    <span className="workbench-part-facts muted num">
      {noteText ? <span lang={userTextLang(noteText)}>{noteText}</span> : null}
      {figure === null ? null : <Figure part={part} figure={figure} />}
      {at ? (
        <time dateTime={at}>
          {part === 'events' && !allDay ? formatDayAndTime(at, timeZone) : formatDay(at, timeZone)}
        </time>
      ) : null}
    </span>
  )
}

function Figure({ part, figure }: { part: WorkbenchPart; figure: number }) {
  if (part === 'confirmations') return <span>{m.workbench_confirmed({ count: figure })}</span>
  if (part === 'opinions') return <span>{m.workbench_stars({ count: figure })}</span>
  if (part === 'services' && figure > 0)
    return <span>{m.workbench_reports({ count: figure })}</span>
  return null
}

function itemTarget(part: WorkbenchPart, { id, at }: Item, all: string) {
  switch (part) {
    case 'articles':
      return hrefOf('/pages/secondWork/gonggao/gonggaoSet', { id, kind: 'article' })
    case 'announcements':
    case 'confirmations':
      return hrefOf('/pages/secondWork/gonggao/gonggaoSet', { id, kind: 'announcement' })
    case 'services':
      return hrefOf('/pages/secondWork/service/serviceSet', { id, part: 'health' })
    case 'feedback':
      return hrefOf('/pages/secondWork/feedback/detail', { id })
    case 'events':
      return hrefOf('/pages/secondWork/schedule/shedulDetail', { id, startsAt: at ?? undefined })
    default:
      return all
  }
}

export function partName(part: WorkbenchPart) {
  switch (part) {
    case 'articles':
      return m.workbench_part_articles()
    case 'announcements':
      return m.workbench_part_announcements()
    case 'confirmations':
      return m.workbench_part_confirmations()
    case 'letters':
      return m.workbench_part_letters()
    case 'feedback':
      return m.workbench_part_feedback()
    case 'opinions':
      return m.workbench_part_opinions()
    case 'services':
      return m.workbench_part_services()
    case 'events':
      return m.workbench_part_events()
  }
}

/** The state of a service as a short label. */
function stateName(state: string) {
  switch (state) {
    case 'down':
      return m.health_state_down()
    case 'dead':
      return m.health_state_dead()
    case 'slow':
      return m.health_state_slow()
    case 'maintenance':
      return m.health_state_maintenance()
    default:
      return ''
  }
}
