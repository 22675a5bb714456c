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
          <Star key={step} part={halfOf(value - step + 1)} />
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
          <Star part={step <= value ? 1 : 0} />
        </label>
      ))}
    </fieldset>
  )
}

/** 0, 0.5 or 1: an average of 4.3 shows four stars and a half. */
const halfOf = (part: number) => Math.min(1, Math.max(0, Math.round(part * 2) / 2))

const Star = ({ part }: { part: number }) => (
  <span className={part === 1 ? 'rate-star rate-star-on' : 'rate-star'}>
    <Icon name={part === 1 ? 'star-filled' : 'star'} />
    {part === 0.5 ? (
      <span className="rate-half rate-star-on">
        <Icon name="star-filled" />
      </span>
    ) : null}
  </span>
)
