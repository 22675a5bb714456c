import { dayIn } from '@atrium/rules/day-in'
import { parseAppointment } from '@atrium/rules/parse-appointment'
import { useState } from 'react'
import { formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/form/field.tsx'
import { type Content, changeDraft, moveStart } from './appointment-draft.ts'
import { ruleText, timeText } from './labels.ts'

/** An input for pasted text that fills in the fields below. They show what was understood and can be changed. */
export function QuickEntry({ content }: { content: Content }) {
  const [sentence, setSentence] = useState('')
  const [understood, setUnderstood] = useState('')
  function read(text: string) {
    setSentence(text)
    const change = changeFrom(text, content)
    if (!text.trim()) return setUnderstood('')
    changeDraft(change)
    const now = { ...content, ...change }
    const words = [
      change.firstDay || change.starts ? timeText(now) : '',
      change.repeatSet ? ruleText(now) : '',
      change.location ?? '',
    ]
    setUnderstood(words.filter(Boolean).join(' · '))
  }
  return (
    <Card>
      <Field
        label={m.appointments_quick()}
        value={sentence}
        onValue={read}
        placeholder={m.appointments_quick_example()}
        maxLength={500}
        autoComplete="off"
        hint={
          understood
            ? m.appointments_understood({ words: understood })
            : m.appointments_quick_hint()
        }
      />
    </Card>
  )
}

function changeFrom(text: string, content: Content): Partial<Content> {
  const now = new Date()
  const read = parseAppointment(text, {
    day: dayIn(now, content.timeZone),
    time: formatTime(now, content.timeZone),
  })
  const { title, day, starts, ends, minutes, location, url, rrule } = read
  const timed = starts ? { ...content, allDay: false } : content
  const change: Partial<Content> = {
    title,
    ...(starts && { allDay: false }),
    ...moveStart(timed, { ...(day && { firstDay: day }), ...(starts && { starts }) }),
    ...(location && { location }),
    ...(url && { url }),
    ...(rrule && { repeatSet: rrule }),
  }
  if (!starts) return change
  const firstDay = change.firstDay ?? content.firstDay
  if (ends) return { ...change, ends, lastDay: firstDay }
  // New text gives its own duration, or defaults to an hour.
  const end = new Date(
    Date.parse(`${firstDay}T${starts}Z`) + (minutes ?? 60) * 60_000,
  ).toISOString()
  return { ...change, lastDay: end.slice(0, 10), ends: end.slice(11, 16) }
}
