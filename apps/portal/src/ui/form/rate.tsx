import './rate.css'
import { figures } from '@atrium/rules/figures'
import { useId } from 'react'
import { m } from '#paraglide/messages.js'
import { Icon } from '../media/icon.tsx'

type RateProps = {
  label: string
  /** 0 if none is chosen yet. */
  value: number
  /** Without it the rating is read-only. */
  onValue?: (value: number) => void
}

const steps = Array.from({ length: figures.rateCount }, (_, at) => at + 1)

/** A rating in stars. */
export function Rate({ label, value, onValue }: RateProps) {
  const name = useId()
  if (!onValue) {
    return (
      <span className="rate" role="img" aria-label={`${label} ${m.ui_stars({ count: value })}`}>
        {steps.map((step) => (
          <Star key={step} filled={step <= Math.round(value)} />
        ))}
      </span>
    )
  }
  return (
    <fieldset className="rate rate-field">
      <legend>{label}</legend>
      {steps.map((step) => (
        <label key={step}>
          <input
            className="unseen"
            type="radio"
            name={name}
            value={step}
            checked={step === value}
            aria-label={m.ui_stars({ count: step })}
            onChange={() => onValue(step)}
          />
          <Star filled={step <= value} />
        </label>
      ))}
    </fieldset>
  )
}

const Star = ({ filled }: { filled: boolean }) => (
  <span className={filled ? 'rate-star rate-star-on' : 'rate-star'}>
    <Icon name={filled ? 'star-filled' : 'star'} />
  </span>
)
