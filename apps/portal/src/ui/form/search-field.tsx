import './search-field.css'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

type SearchFieldProps = {
  label: string
  /** Placeholder; defaults to the label. */
  suggestion?: string | undefined
  value: string
  onValue: (value: string) => void
}

/** An input for search terms. */
export function SearchField({ label, suggestion, value, onValue }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={suggestion || label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
      {value ? (
        <button
          type="button"
          className="icon-button"
          aria-label={m.shell_clear()}
          onClick={(event) => {
            // The button disappears.
            event.currentTarget.parentElement?.querySelector('input')?.focus()
            onValue('')
          }}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  )
}
