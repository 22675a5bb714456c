import './choice.css'

type ChoiceProps<V extends string> = {
  label: string
  /** Distinguishes the inputs of several choices. */
  name: string
  items: readonly { value: V; label: string; lang?: string }[]
  value: V
  onChange: (value: V) => void
}

/** One of a few options, side by side; takes effect immediately. */
export function Choice<V extends string>({ label, name, items, value, onChange }: ChoiceProps<V>) {
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      <div className="choice-items">
        {items.map((item) => (
          <label key={item.value} lang={item.lang}>
            <input
              type="radio"
              id={`${name}-${item.value}`}
              name={name}
              checked={item.value === value}
              onChange={() => onChange(item.value)}
            />
            <span>{item.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
