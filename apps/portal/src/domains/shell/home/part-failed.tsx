import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** One part of home failed to load, while the others are shown. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="part-failed" role="status">
      <Icon name="offline" />
      <span>{m.home_part_failed()}</span>
      <Button kind="plain" small onClick={onRetry}>
        {m.shell_retry()}
      </Button>
    </div>
  )
}
