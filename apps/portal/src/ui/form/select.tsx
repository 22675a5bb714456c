import './field.css'
import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange'> & {
  value: string
  onValue: (value: string) => void
  /** For a filter above a list: as wide as its text. */
  small?: boolean
}

/** A native select without a label of its own. */
export const Select = ({ onValue, small, ...select }: SelectProps) => (
  <select
    className={small ? 'select select-small' : 'select'}
    onChange={(event) => onValue(event.target.value)}
    {...select}
  />
)

type SelectFieldProps = Omit<SelectProps, 'id'> & {
  label: string
  /** Shown below the select. */
  note?: ReactNode
}

/** A select with its label. */
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
