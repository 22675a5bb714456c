import './calendars.css'
import '#domains/work/schedule/event-row.css'
import { calendarColors } from '@atrium/contract/work/schedule'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/form/field.tsx'

export type Color = (typeof calendarColors)[number]

type NameAndColorProps = {
  name: string
  onName: (name: string) => void
  color: Color
  onColor: (color: Color) => void
}

/** The name of a calendar, and the colour of its events. */
export function NameAndColor({ name, onName, color, onColor }: NameAndColorProps) {
  return (
    <Card>
      <div className="calendar-fields">
        <Field label={m.calendars_name()} value={name} onValue={onName} maxLength={60} required />
        <ColorField color={color} onColor={onColor} />
      </div>
    </Card>
  )
}

/** Chooses one of the calendar colours, by name. */
export const ColorField = ({ color, onColor }: Pick<NameAndColorProps, 'color' | 'onColor'>) => (
  <fieldset className="calendar-colors">
    <legend>{m.calendars_color()}</legend>
    {calendarColors.map((one) => (
      <label key={one} className={`event-${one}`}>
        <input type="radio" name="color" checked={color === one} onChange={() => onColor(one)} />
        <span className="calendar-swatch" />
        {colorName(one)}
      </label>
    ))}
  </fieldset>
)

export function colorName(color: Color) {
  switch (color) {
    case 'blue':
      return m.calendars_blue()
    case 'green':
      return m.calendars_green()
    case 'orange':
      return m.calendars_orange()
    case 'violet':
      return m.calendars_violet()
    case 'amber':
      return m.calendars_amber()
    case 'teal':
      return m.calendars_teal()
  }
}
