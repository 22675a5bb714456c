import './appointments.css'
import { parseRule, type Recurrence, writeRule } from '#domains/work/recurrence/recurrence.ts'
import { recurrenceText } from '#domains/work/recurrence/recurrence-text.ts'
import { lastDayOf, weekdayNames } from '#domains/work/schedule/day-labels.ts'
import { addDays, type Day, monthOf, weekdayOf } from '#domains/work/schedule/days.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { changeDraft, useDraft } from './appointment-draft.ts'
import { Choice, Choices } from './choices.tsx'
import { repeatText } from './labels.ts'
import { NoDraft } from './no-draft.tsx'

/** Chooses how an event repeats. */
export default function RepeatPage() {
  const draft = useDraft()
  const { repeatSet, firstDay } = draft
  if (!firstDay)
    return (
      <Page>
        <NoDraft />
      </Page>
    )
  const rule = repeatSet ? parseRule(repeatSet) : undefined
  const offered = rulesFrom(firstDay)
  const choose = (next: string) =>
    changeDraft({ repeatSet: next, ...(!next && { dateEndSet: { index: 0, val: '' } }) })
  const chosen = repeatSet === '' || offered.includes(repeatSet) ? repeatSet : 'own'
  return (
    <Page>
      <div className="column stack">
        <Card>
          <Choices label={m.appointments_repeat_title()}>
            {['', ...offered].map((one) => (
              <Choice key={one} checked={chosen === one} onChoose={() => choose(one)}>
                {one ? recurrenceText(one, firstDay) : m.appointments_never()}
              </Choice>
            ))}
            <Choice
              checked={chosen === 'own'}
              onChoose={() => choose(`FREQ=WEEKLY;INTERVAL=2;BYDAY=${codes[weekdayOf(firstDay)]}`)}
            >
              {m.appointments_repeat_own()}
            </Choice>
          </Choices>
        </Card>
        {chosen === 'own' && rule ? (
          <CustomRule rule={rule} firstDay={firstDay} onRule={(next) => choose(writeRule(next))} />
        ) : null}
        <p className="appointment-sentence" role="status">
          {repeatText(draft)}
        </p>
        <Button wide onClick={() => back()}>
          {m.appointments_done()}
        </Button>
      </div>
    </Page>
  )
}

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Common rules for an event that begins on this day. */
function rulesFrom(day: Day) {
  const date = Number(day.slice(8))
  const code = codes[weekdayOf(day)]
  const isLastWeek = monthOf(addDays(day, 7)) !== monthOf(day)
  return [
    'FREQ=DAILY',
    ...(weekdayOf(day) < 5 ? ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'] : []),
    `FREQ=WEEKLY;BYDAY=${code}`,
    `FREQ=MONTHLY;BYMONTHDAY=${date}`,
    ...(date <= 28 ? [`FREQ=MONTHLY;BYDAY=${Math.ceil(date / 7)}${code}`] : []),
    ...(isLastWeek ? [`FREQ=MONTHLY;BYDAY=-1${code}`] : []),
    ...(day === lastDayOf(monthOf(day)) ? ['FREQ=MONTHLY;BYMONTHDAY=-1'] : []),
    'FREQ=YEARLY',
  ]
}

type CustomRuleProps = { rule: Recurrence; firstDay: Day; onRule: (rule: Recurrence) => void }

/** A custom rule: every n days, weeks, months or years, and on which weekdays. */
function CustomRule({ rule, firstDay, onRule }: CustomRuleProps) {
  const { unit, every, weekdays, monthDay, nth } = rule
  const days = weekdays.length > 0 ? weekdays : [weekdayOf(firstDay)]
  const toggle = (weekday: number) => {
    const next = days.includes(weekday) ? days.filter((one) => one !== weekday) : [...days, weekday]
    // A weekly rule needs at least one day.
    if (next.length > 0) onRule({ ...rule, weekdays: next })
  }
  const monthly = { monthDay: monthDay ?? Number(firstDay.slice(8)), ...(nth && { nth }) }
  const turn = (next: Recurrence['unit']) =>
    onRule({
      unit: next,
      every: Math.max(every, 2),
      weekdays: next === 'week' ? days : [],
      ...(next === 'month' && monthly),
    })
  return (
    <Card title={m.appointments_repeat_own()}>
      <div className="appointment-fields">
        <Choices label={m.appointments_repeat_unit()} inline>
          {(['day', 'week', 'month', 'year'] as const).map((one) => (
            <Choice key={one} checked={unit === one} onChoose={() => turn(one)}>
              {unitName(one)}
            </Choice>
          ))}
        </Choices>
        <Field
          key={unit}
          label={everyName(unit)}
          type="number"
          inputMode="numeric"
          min={1}
          max={99}
          value={String(every)}
          onValue={(text) => {
            const count = Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), 99)
            onRule({ ...rule, every: count })
          }}
        />
        {unit === 'week' ? (
          <fieldset className="appointment-weekdays">
            <legend>{m.appointments_repeat_on()}</legend>
            {weekdayNames().map(({ day, short, long }, weekday) => (
              <button
                key={day}
                type="button"
                aria-pressed={days.includes(weekday)}
                aria-label={long}
                onClick={() => toggle(weekday)}
              >
                {short}
              </button>
            ))}
          </fieldset>
        ) : null}
      </div>
    </Card>
  )
}

function unitName(unit: Recurrence['unit']) {
  switch (unit) {
    case 'day':
      return m.appointments_unit_day()
    case 'week':
      return m.appointments_unit_week()
    case 'month':
      return m.appointments_unit_month()
    case 'year':
      return m.appointments_unit_year()
  }
}

function everyName(unit: Recurrence['unit']) {
  switch (unit) {
    case 'day':
      return m.appointments_every_days()
    case 'week':
      return m.appointments_every_weeks()
    case 'month':
      return m.appointments_every_months()
    case 'year':
      return m.appointments_every_years()
  }
}
