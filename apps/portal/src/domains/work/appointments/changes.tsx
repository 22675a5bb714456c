import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { Content } from './appointment-draft.ts'
import { ruleText, timeText } from './labels.ts'

/** The changes to be saved, with old and new values. */
export function Changes({ from, to }: { from: Content; to: Content }) {
  const names = (content: Content) =>
    content.participants.map(({ name, email }) => name || email).join(m.schedule_and()) ||
    m.appointments_only_me()
  const rows = [
    [m.schedule_when(), timeText(from), timeText(to)],
    [m.schedule_add_name(), from.title, to.title.trim()],
    [m.schedule_where(), from.location, to.location.trim()],
    [m.appointments_repeat(), ruleText(from), ruleText(to)],
    [m.appointments_participants(), names(from), names(to)],
  ].filter(([, was, is]) => was !== is)
  if (rows.length === 0) return null
  return (
    <dl className="appointment-changes">
      {rows.map(([name, was, is]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {m.appointments_was_is({
              was: was || m.appointments_nothing(),
              is: is || m.appointments_nothing(),
            })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Someone else has changed the event: nothing is overwritten unseen. */
export function ChangedMeanwhile({ onReload }: { onReload: () => void }) {
  return (
    <div className="appointment-note" role="alert">
      <Icon name="warning" />
      <div>
        <p>{m.appointments_changed_meanwhile()}</p>
        <Button kind="plain" small onClick={onReload}>
          {m.appointments_reload()}
        </Button>
      </div>
    </div>
  )
}
