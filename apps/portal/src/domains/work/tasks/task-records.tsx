import './tasks.css'
import type { Reply } from '@atrium/contract/define'
import type { tasks } from '@atrium/contract/work/tasks'
import { FileRow } from '#domains/content/files/file-row.tsx'
import { formatDayAndTime, formatUnit } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Icon } from '#ui/media/icon.tsx'
import { UserText } from '#ui/user-text.tsx'

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
      {records.map(({ id, person, by, step, action, comment, files, since, at }) => (
        <li key={id} className={at ? 'task-record' : 'task-record task-record-waiting'}>
          <span className="task-record-mark">
            <Icon name={at ? 'check' : 'clock'} />
          </span>
          <div className="task-record-text">
            <p className="task-record-head">
              <b lang={userTextLang(step)}>{step}</b>
              <span className="muted num">{at ? formatDayAndTime(at) : m.tasks_waiting()}</span>
            </p>
            <p className="muted">
              <UserText>
                {[by ? m.tasks_record_by({ by, person }) : person, action]
                  .filter(Boolean)
                  .join(' · ')}
              </UserText>
              {at && durationText(since, at) ? ` · ${durationText(since, at)}` : ''}
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
      ))}
    </ol>
  )
}
