import './icon-tile.css'
import { Icon, type IconName, knownIcon } from './icon.tsx'

export type Tone = 'blue' | 'orange' | 'green' | 'violet' | 'amber' | 'teal'

type IconTileProps = {
  /** A name from outside is fine: an unknown one shows the general drawing. */
  glyph: IconName | (string & {})
  tone: Tone
  /** An uploaded picture instead of the drawing. */
  url?: string
}

/** The coloured square of a service or a message application. */
export function IconTile({ glyph, tone, url }: IconTileProps) {
  if (url)
    return <img className="icon-tile" src={url} alt="" width={44} height={44} loading="lazy" />
  return (
    <span className={`icon-tile tone-${tone}`}>
      <Icon name={knownIcon(glyph)} />
    </span>
  )
}
