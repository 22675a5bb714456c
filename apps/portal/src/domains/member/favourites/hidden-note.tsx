import './hidden-note.css'
import { Icon } from '#ui/media/icon.tsx'

type HiddenNoteProps = {
  /** As the server says it with the first page. */
  pages: readonly { hidden?: number }[]
  text: (inputs: { count: number }) => string
}

/** That there is more than is shown, withdrawn or not for the member any more; nothing of what it is. */
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
