import { calendarColors } from '@atrium/contract/work/schedule'
import { useId } from 'react'
import { type Color, colorName } from '#domains/work/calendars/name-and-color.tsx'
import { m } from '#paraglide/messages.js'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'

/** Common categories with their colours. */
const usual: readonly (readonly [() => string, Color])[] = [
  [m.appointments_category_meeting, 'blue'],
  [m.appointments_category_lecture, 'teal'],
  [m.appointments_category_exam, 'orange'],
  [m.appointments_category_deadline, 'amber'],
  [m.appointments_category_duty, 'violet'],
  [m.appointments_category_private, 'green'],
]

type CategoryFieldProps = {
  category: string
  color: Color | null
  onChange: (change: { category?: string; categoryColor?: Color | null }) => void
}

/** The category of an event, from a list or as free text, and its colour. */
export function CategoryField({ category, color, onChange }: CategoryFieldProps) {
  const list = useId()
  return (
    <>
      <Field
        label={m.appointments_category()}
        value={category}
        list={list}
        maxLength={40}
        autoComplete="off"
        onValue={(next) => {
          const [, known] = usual.find(([name]) => name() === next) ?? []
          onChange({ category: next, ...(known && { categoryColor: known }) })
        }}
      />
      <datalist id={list}>
        {usual.map(([name]) => (
          <option key={name()} value={name()} />
        ))}
      </datalist>
      <SelectField
        label={m.appointments_category_color()}
        value={color ?? ''}
        onValue={(next) =>
          onChange({ categoryColor: calendarColors.find((one) => one === next) ?? null })
        }
      >
        <option value="">{m.appointments_category_of_calendar()}</option>
        {calendarColors.map((one) => (
          <option key={one} value={one}>
            {colorName(one)}
          </option>
        ))}
      </SelectField>
    </>
  )
}
