import { formatTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Button } from '#ui/form/button.tsx'
import type { SaveState } from './autosave.ts'

/** The save state: saving, saved, or only on this device. */
export function SaveNote({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const { timeZone } = useSystem()
  const trouble = state.kind === 'offline' || state.kind === 'refused' || state.kind === 'conflict'
  return (
    <p className={trouble ? 'writing-save writing-save-trouble' : 'writing-save'}>
      {/* Saving in every pause of writing is not announced. */}
      <span role="status" aria-live={trouble ? 'polite' : 'off'}>
        {saveStateText(state, timeZone)}
      </span>
      {state.kind === 'offline' || state.kind === 'refused' ? (
        <Button kind="plain" small onClick={onRetry}>
          {m.writing_save_again()}
        </Button>
      ) : null}
    </p>
  )
}

function saveStateText(state: SaveState, zone: string) {
  switch (state.kind) {
    case 'saved':
      return m.writing_saved_at({ time: formatTime(state.at, zone) })
    case 'saving':
    case 'changed':
      return m.writing_saving()
    case 'untitled':
      return m.writing_untitled_state()
    case 'offline':
      return m.writing_offline()
    case 'refused':
      return m.writing_refused({ message: state.message })
    case 'conflict':
      return m.writing_conflict_state()
    case 'untouched':
      return m.writing_untouched()
  }
}
