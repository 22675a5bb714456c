import './tasks.css'
import type { Reply } from '@atrium/contract/define'
import type { tasks } from '@atrium/contract/work/tasks'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { formatDayAndTime, formatUnit } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Facts } from '#ui/facts.tsx'
import { Icon } from '#ui/media/icon.tsx'

type Records = Reply<typeof tasks.records>

const minute = 60_000
const units = [
  ['day', 1440 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const

/** The duration in the largest fitting unit; empty if under a minute. */
function durationText(since: string, at: string) {
  const took = Date.parse(at) - Date.parse(since)
  const found = units.find(([, length]) => took >= length)
  if (!found) return ''
  const [unit, length] = found
  return m.tasks_record_took({ time: formatUnit(Math.floor(took / length), unit) })
}

/** The handlers of a task in order; the last one may still be pending. */
export function TaskRecords({ records }: { records: Records }) {
  return (
    <ol className="task-records">
      {records.map((record) => (
        <Record key={record.id} record={record} />
      ))}
    </ol>
  )
}

const marks = { waiting: 'clock', primary: 'check', plain: 'chevron', danger: 'close' } as const

function Record({ record }: { record: Records[number] }) {
  const { timeZone } = useSystem()
  const { comment, files, since, at, tone } = record
  const step = inLanguage(record.step, record.stepEn)
  const action = inLanguage(record.action, record.actionEn)
  const person = inLanguage(record.person, record.personEn)
  const by = inLanguage(record.by, record.byEn)
  // What was done in a system that does not say its kind counts as a step forward.
  const mark = at ? (tone ?? 'primary') : 'waiting'
  return (
    <li className={`task-record task-record-${mark}`}>
      <span className="task-record-mark">
        <Icon name={marks[mark]} />
      </span>
      <div className="task-record-text">
        <p className="task-record-head">
          <b lang={userTextLang(step)}>{step}</b>
          <span className="muted num">
            {at ? formatDayAndTime(at, timeZone) : m.tasks_waiting()}
          </span>
        </p>
        <p className="muted">
          <Facts
            of={[
              by ? m.tasks_record_by({ by, person }) : person,
              action,
              at && durationText(since, at),
            ]}
          />
        </p>
        {comment ? (
          <p className="task-comment" lang={userTextLang(comment)}>
            {comment}
          </p>
        ) : null}
        {files.length > 0 ? (
          <ul aria-label={m.tasks_record_files({ step })}>
            {files.map(({ name, url, mediaType, size }) => (
              <FileRow key={url} name={name} url={url} mediaType={mediaType} byteSize={size} />
            ))}
          </ul>
        ) : null}
      </div>
    </li>
  )
}
