import type { ReactNode } from 'react'
import {
  addRecipients,
  type Chosen,
  isChosen,
  recipientOf,
  removeRecipient,
  useDraft,
} from '#domains/work/sending/draft.ts'
import { Facts } from '#ui/facts.tsx'

type ChoiceRowProps = {
  entry: Chosen
  /** a second line, for example an organisation and a number of members */
  about: readonly string[]
  /** shown at the end: link to the level below */
  aside?: ReactNode
}

/** A selectable recipient in a list. Renders an `li`. */
export function ChoiceRow({ entry, about, aside }: ChoiceRowProps) {
  useDraft()
  const chosen = isChosen(recipientOf(entry))
  return (
    <li className="choice-row">
      <label>
        <input
          type="checkbox"
          checked={chosen}
          onChange={() => (chosen ? removeRecipient(entry) : addRecipients(entry))}
        />
        <span className="choice-words">
          <span>{entry.name}</span>
          <span className="muted num">
            <Facts of={about} />
          </span>
        </span>
      </label>
      {aside}
    </li>
  )
}
