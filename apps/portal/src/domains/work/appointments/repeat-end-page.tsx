import './appointments.css'
import type { DateEndSet } from '#domains/work/recurrence/recurrence.ts'
import { addDays } from '#domains/work/schedule/days.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { changeDraft, useDraft } from './appointment-draft.ts'
import { Choice, Choices } from './choices.tsx'
import { ruleText } from './labels.ts'
import { NoDraft } from './no-draft.tsx'

/** Maximum accepted by the server. */
const maxTimes = 1000
/** The length of a term, used as the default. */
const [termDays, termWeeks] = [16 * 7, 16]

/** Chooses when a series ends. */
export default function RepeatEndPage() {
  const draft = useDraft()
  const { repeatSet, dateEndSet, firstDay } = draft
  const { index, val } = dateEndSet
  const choose = (next: DateEndSet) => changeDraft({ dateEndSet: next })
  if (!firstDay || !repeatSet)
    return (
      <Page>
        <NoDraft />
      </Page>
    )
  return (
    <Page>
      <div className="column stack">
        <Card>
          <Choices label={m.appointments_repeat_end()}>
            <Choice checked={index === 0} onChoose={() => choose({ index: 0, val: '' })}>
              {m.appointments_never_ends()}
            </Choice>
            <Choice
              checked={index === 1}
              onChoose={() => choose({ index: 1, val: addDays(firstDay, termDays) })}
            >
              {m.appointments_end_day()}
            </Choice>
            <Choice
              checked={index === 2}
              onChoose={() => choose({ index: 2, val: String(termWeeks) })}
            >
              {m.appointments_end_times()}
            </Choice>
          </Choices>
        </Card>
        {index === 1 ? (
          <Card>
            <Field
              type="date"
              label={m.appointments_end_day_field()}
              value={val}
              min={firstDay}
              onValue={(day) => choose({ index, val: day && day < firstDay ? firstDay : day })}
              error={val ? '' : m.appointments_end_missing()}
            />
          </Card>
        ) : null}
        {index === 2 ? (
          <Card>
            <Field
              type="number"
              inputMode="numeric"
              min={1}
              max={maxTimes}
              label={m.appointments_end_times_field()}
              value={val}
              onValue={(text) => {
                const count = Math.min(Math.trunc(Number(text)), maxTimes)
                choose({ index, val: count > 0 ? String(count) : '' })
              }}
              error={val ? '' : m.appointments_end_missing()}
            />
          </Card>
        ) : null}
        <p className="appointment-sentence" role="status">
          {ruleText(draft)}
        </p>
        <Button wide onClick={() => back()}>
          {m.appointments_done()}
        </Button>
      </div>
    </Page>
  )
}
