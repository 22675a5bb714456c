import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { getTextSize, setTextSize, textSizes } from '#shell/preferences.ts'

/** The size of all text, with a live preview. */
export function TextSize() {
  const [percent, setPercent] = useState(getTextSize)
  const step = Math.max(
    0,
    textSizes.findIndex((size) => size >= percent),
  )
  const choose = (at: number) => {
    const size = textSizes[at] ?? 100
    setTextSize(size)
    setPercent(size)
  }
  return (
    <div className="text-size">
      <label htmlFor="text-size">
        {m.personal_text_size()} <span className="num">{percent}%</span>
      </label>
      <div className="text-size-row" aria-hidden="true">
        <span className="text-size-small">{m.personal_text_sample()}</span>
        <span className="text-size-large">{m.personal_text_sample()}</span>
      </div>
      <input
        id="text-size"
        type="range"
        min={0}
        max={textSizes.length - 1}
        step={1}
        value={step}
        aria-valuetext={`${percent}%`}
        onChange={(event) => choose(Number(event.target.value))}
      />
      <p className="text-size-preview">{m.personal_text_preview()}</p>
    </div>
  )
}
