import type { FormColumn, FormProperty } from '@atrium/contract/work/applications'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { DateField } from '#ui/form/date-field.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'

/** The label of a field; optional ones say so. */
export const labelOf = ({ title, titleEn }: FormProperty | FormColumn, required: boolean) => {
  const name = inLanguage(title, titleEn)
  return required ? name : m.forms_optional({ name })
}

export const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

type ValueFieldProps = {
  property: FormProperty | FormColumn
  label: string
  value: unknown
  error?: string
  hint?: string
  onValue: (value: unknown) => void
}

/** A field with a single value: a text, a number, a date, or one of several choices. */
export function ValueField({ property, label, value, error, hint, onValue }: ValueFieldProps) {
  const wrong = error ? { error } : {}
  const shared = {
    label,
    value: textOf(value),
    onValue: (text: string) => onValue(text || undefined),
  }
  const { type, format, oneOf, maxLength = 2000 } = property
  if (oneOf)
    return (
      <SelectField {...shared} note={error ? <p className="field-error">{error}</p> : null}>
        <option value="">{m.forms_choose()}</option>
        {oneOf.map((choice) => (
          <option key={choice.const} value={choice.const}>
            {inLanguage(choice.title, choice.titleEn)}
          </option>
        ))}
      </SelectField>
    )
  if (format === 'date') return <DateField {...shared} {...wrong} />
  if (type === 'number' || type === 'integer')
    return (
      <Field
        {...shared}
        {...wrong}
        {...(hint && { hint })}
        type="number"
        inputMode={type === 'integer' ? 'numeric' : 'decimal'}
        step={type === 'integer' ? 1 : 'any'}
        onValue={(text) => onValue(text === '' ? undefined : Number(text))}
      />
    )
  return <Field {...shared} {...wrong} {...(hint && { hint })} maxLength={maxLength} />
}

/** A table cell, rendered like any other field. */
export const ColumnField = ({
  column,
  required,
  ...field
}: Omit<ValueFieldProps, 'property' | 'label'> & { column: FormColumn; required: boolean }) => (
  <ValueField property={column} label={labelOf(column, required)} {...field} />
)
