import './forms.css'
import type { FormData, FormProperty, FormSchema } from '@atrium/contract/work/applications'
import { fieldKindOf } from '@atrium/rules/form-kinds'
import { FilesField } from '#domains/content/files/files-field.tsx'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { TextArea } from '#ui/form/text-area.tsx'
import { PersonField } from './person-field.tsx'
import { TableField } from './table-field.tsx'
import { labelOf, textOf, ValueField } from './value-field.tsx'

/** Display names of chosen files and accounts. */
export type Names = {
  files: ReadonlyMap<string, string>
  people: ReadonlyMap<string, string>
}

type FormFieldsProps = {
  schema: FormSchema
  data: FormData
  names: Names
  /** Error messages by field, such as `items.0.amount`. */
  issues: Readonly<Record<string, string>>
  /** Called with a field's new value; undefined if empty. */
  onChange: (name: string, value: unknown) => void
  /** Called when uploads start or end. */
  onBusy: (busy: boolean) => void
}

/** All fields of a form in order; used for applications and for task actions. */
export function FormFields({ schema, data, names, issues, onChange, onBusy }: FormFieldsProps) {
  return Object.entries(schema.properties).map(([name, property]) => (
    <FormField
      key={name}
      name={name}
      property={property}
      required={schema.required.includes(name)}
      value={data[name]}
      names={names}
      issues={issues}
      onValue={(value) => onChange(name, value)}
      onBusy={onBusy}
    />
  ))
}

type FormFieldProps = {
  name: string
  property: FormProperty
  required: boolean
  value: unknown
  names: Names
  issues: Readonly<Record<string, string>>
  onValue: (value: unknown) => void
  onBusy: (busy: boolean) => void
}

function FormField(props: FormFieldProps) {
  const { name, property, required, value, names, issues, onValue, onBusy } = props
  const label = labelOf(property, required)
  const error = issues[name]
  const wrong = error ? { error } : {}
  const hint = inLanguage(property.description, property.descriptionEn)
  switch (fieldKindOf(property)) {
    case 'textarea':
      return (
        <TextArea
          label={label}
          value={textOf(value)}
          onValue={(text) => onValue(text || undefined)}
          maxLength={property.maxLength ?? 2000}
          rows={3}
          {...(hint && { hint })}
          {...wrong}
        />
      )
    case 'person':
      return (
        <PersonField
          label={label}
          value={textOf(value)}
          name={names.people.get(textOf(value).toLowerCase())}
          onValue={onValue}
          {...(hint && { hint })}
          {...wrong}
        />
      )
    case 'files':
      return (
        <div className="field">
          <FilesField
            label={label}
            initialFiles={(Array.isArray(value) ? value.map(String) : []).map((id) => ({
              id,
              name: names.files.get(id) ?? m.forms_file(),
            }))}
            max={Math.min(property.maxItems ?? 9, 9)}
            onChange={(files) => onValue(files.length > 0 ? files.map(({ id }) => id) : undefined)}
            onBusy={onBusy}
          />
          {error ? (
            <p className="field-error">{error}</p>
          ) : hint ? (
            <p className="muted">{hint}</p>
          ) : null}
        </div>
      )
    case 'table':
      return (
        <TableField
          label={label}
          name={name}
          property={property}
          rows={Array.isArray(value) ? value : []}
          issues={issues}
          onRows={onValue}
        />
      )
    default:
      return (
        <ValueField
          property={property}
          label={label}
          value={value}
          onValue={onValue}
          hint={hint}
          {...wrong}
        />
      )
  }
}
