import './hidden-note.css'
import { Icon } from '#ui/media/icon.tsx'

type HiddenNoteProps = {
  /** The count comes with the first page. */
  pages: readonly { hidden?: number }[]
  text: (inputs: { count: number }) => string
}

/** Says how many items are hidden, because they were withdrawn or are no longer accessible, without details. */
export function HiddenNote({ pages, text }: HiddenNoteProps) {
  const count = pages[0]?.hidden
  if (!count) return null
  return (
    <p className="hidden-note muted" role="note">
      <Icon name="info" />
      <span>{text({ count })}</span>
    </p>
  )
}
