import { m } from '#paraglide/messages.js'
import { Sheet } from '#ui/feedback/dialog.tsx'

const sizes = [100, 120, 140, 170] as const

type TextSizeSheetProps = {
  open: boolean
  /** Percent. */
  value: number
  onChange: (value: number) => void
  onClose: () => void
}

/** Sheet for choosing the text size of articles. */
export function TextSizeSheet({ open, value, onChange, onClose }: TextSizeSheetProps) {
  const names = [
    m.news_text_normal(),
    m.news_text_large(),
    m.news_text_larger(),
    m.news_text_largest(),
  ]
  return (
    <Sheet open={open} onClose={onClose} title={m.news_text_size()}>
      <div className="article-text-sizes" role="radiogroup" aria-label={m.news_text_size()}>
        {sizes.map((size, index) => (
          <label key={size} className="article-text-size">
            <input
              type="radio"
              name="text-size"
              checked={size === value}
              onChange={() => onChange(size)}
            />
            <span style={{ fontSize: `${size}%` }}>{names[index]}</span>
          </label>
        ))}
      </div>
    </Sheet>
  )
}
