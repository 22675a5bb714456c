import type { SignedInDevice } from '@atrium/contract/identity/sessions'
import { formatDay, formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { deviceIcon, deviceName, methodText, placeText } from './session-labels.ts'

/** A signed-in device with its place and time; without `onEnd` it is this device. */
export function DeviceLine({ device, onEnd }: { device: SignedInDevice; onEnd?: () => void }) {
  const name = deviceName(device.device)
  return (
    <li className="session-line">
      <span className="session-icon">
        <Icon name={deviceIcon(device.device)} />
      </span>
      <div className="session-text">
        <p className="session-name">
          {name}
          {onEnd ? null : <Pill tone="green">{m.sessions_in_use()}</Pill>}
        </p>
        <p className="muted">{placeText(device)}</p>
        {onEnd ? (
          <p className="muted num">
            {m.sessions_last_used({ time: formatDayAndTime(device.lastUsedAt) })}
          </p>
        ) : null}
        <p className="muted num">
          {m.sessions_since({ day: formatDay(device.firstUsedAt), way: methodText(device.way) })}
        </p>
      </div>
      {onEnd ? (
        <Button
          kind="plain"
          small
          onClick={onEnd}
          aria-label={m.sessions_end_named({ device: name })}
        >
          {m.sessions_end()}
        </Button>
      ) : null}
    </li>
  )
}
