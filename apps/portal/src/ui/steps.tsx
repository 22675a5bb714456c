import { useState } from 'react'
import { IconButton } from './form/icon-button.tsx'
import { Icon } from './media/icon.tsx'

type StepsProps = {
  /** names of the two buttons */
  earlier: string
  later: string
  /** The shown period, such as a month; announced after a step, since only the page's title shows it. */
  period: string
  onStep: (count: -1 | 1) => void
}

/** One period back and forward. */
export function Steps({ earlier, later, period, onStep }: StepsProps) {
  const [hasStepped, setHasStepped] = useState(false)
  const step = (count: -1 | 1) => {
    setHasStepped(true)
    onStep(count)
  }
  return (
    <>
      <IconButton label={earlier} onClick={() => step(-1)}>
        <Icon name="back" />
      </IconButton>
      <IconButton label={later} onClick={() => step(1)}>
        <Icon name="chevron" />
      </IconButton>
      <p className="unseen" role="status">
        {hasStepped ? period : ''}
      </p>
    </>
  )
}
