import { figures } from '@atrium/rules/figures'
import { Field } from './field.tsx'

type DateFieldProps = {
  label: string
  /** 2026-11-23, or empty. */
  value: string
  onValue: (value: string) => void
  error?: string
  required?: boolean
}

/** A date within some years of today, in the device's own picker. */
export function DateField(props: DateFieldProps) {
  const year = new Date().getFullYear()
  return (
    <Field
      type="date"
      min={`${year - figures.datePickerYears}-01-01`}
      max={`${year + figures.datePickerYears}-12-31`}
      {...props}
    />
  )
}
