import './field.css'
import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange'> & {
  value: string
  onValue: (value: string) => void
  /** A filter above a list: as wide as its text. */
  small?: boolean
}

/** A choice from the device's own list. Its label stands elsewhere. */
export const Select = ({ onValue, small, ...select }: SelectProps) => (
  <select
    className={small ? 'select select-small' : 'select'}
    onChange={(event) => onValue(event.target.value)}
    {...select}
  />
)

type SelectFieldProps = Omit<SelectProps, 'id'> & {
  label: string
  /** What stands below. */
  note?: ReactNode
}

/** A choice from a list, with its label. */
export function SelectField({ label, note, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select id={id} {...select} />
      {note}
    </div>
  )
}
