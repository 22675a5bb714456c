import type { ReactNode } from 'react'
import {
  type Chosen,
  choose,
  isChosen,
  leaveOut,
  recipientOf,
  useDraft,
} from '#domains/work/sending/draft.ts'

type ChoiceRowProps = {
  entry: Chosen
  /** a second line: where somebody belongs, how many there are */
  about: string
  /** stands at the end: the way to what lies below */
  aside?: ReactNode
}

/** One that can be chosen, in a list of them. Holds an `li`. */
export function ChoiceRow({ entry, about, aside }: ChoiceRowProps) {
  useDraft()
  const chosen = isChosen(recipientOf(entry))
  return (
    <li className="choice-row">
      <label>
        <input
          type="checkbox"
          checked={chosen}
          onChange={() => (chosen ? leaveOut(entry) : choose(entry))}
        />
        <span className="choice-words">
          <span>{entry.name}</span>
          <span className="muted">{about}</span>
        </span>
      </label>
      {aside}
    </li>
  )
}
