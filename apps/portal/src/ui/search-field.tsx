import './search-field.css'
import { m } from '#paraglide/messages.js'
import { Icon } from './icon.tsx'

type SearchFieldProps = { label: string; value: string; onValue: (value: string) => void }

/** Words to look for. The label stands in the empty field. */
export function SearchField({ label, value, onValue }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
      {value ? (
        <button
          type="button"
          className="icon-button"
          aria-label={m.shell_clear()}
          onClick={() => onValue('')}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  )
}
