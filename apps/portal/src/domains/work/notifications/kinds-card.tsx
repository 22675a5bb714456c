import type { ReceiveSetting } from '@atrium/contract/work/notifications'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { Pill } from '#ui/pill.tsx'
import { channelName } from './channel-name.ts'

export type Channel = ReceiveSetting['chosen'][number]
type KindsCardProps = {
  /** the kinds of one application */
  kinds: readonly ReceiveSetting[]
  /** the channels that the institution has configured */
  available: readonly Channel[]
  onChange: (kind: ReceiveSetting, chosen: Channel[]) => void
}

/** The channels for each kind of message of an application. */
export function KindsCard({ kinds, available, onChange }: KindsCardProps) {
  const [first] = kinds
  if (!first) return null
  return (
    <Card title={inLanguage(first.appName, first.appNameEn)}>
      <ul className="notify-kinds">
        {kinds.map((kind) => (
          <li key={kind.kindId}>
            <Kind
              kind={kind}
              named={kinds.length > 1 || kind.urgent}
              available={available}
              onChange={onChange}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type KindProps = Omit<KindsCardProps, 'kinds'> & {
  kind: ReceiveSetting
  /** Shows the kind's name, because it says more than the application's. */
  named: boolean
}

function Kind({ kind, named, available, onChange }: KindProps) {
  const { chosen, channels, canTurnOff } = kind
  const name = inLanguage(kind.name, kind.nameEn)
  const shown = channels.filter((channel) => available.includes(channel))
  return (
    <fieldset className="notify-kind">
      <legend className={named ? undefined : 'unseen'}>
        {name} {kind.urgent ? <Pill tone="orange">{m.messages_urgent()}</Pill> : null}
      </legend>
      <div className="notify-channels">
        {shown.map((channel) => {
          const on = chosen.includes(channel)
          return (
            <label key={channel}>
              <input
                type="checkbox"
                checked={on}
                disabled={!canTurnOff && on}
                onChange={() =>
                  onChange(
                    kind,
                    on ? chosen.filter((one) => one !== channel) : [...chosen, channel],
                  )
                }
              />
              <span>{channelName(channel)}</span>
            </label>
          )
        })}
      </div>
      {canTurnOff ? null : <p className="muted">{m.notifications_fixed()}</p>}
    </fieldset>
  )
}
