import './icon-tile.css'
import { Icon, type IconName, toIconName } from './icon.tsx'
import { PictureWithFallback } from './picture-with-fallback.tsx'

export type Tone = 'blue' | 'orange' | 'green' | 'violet' | 'amber' | 'teal'

type IconTileProps = {
  /** May come from outside: an unknown name shows the default icon. */
  glyph: IconName | (string & {})
  tone: Tone
  /** An uploaded picture; the icon is the fallback if it fails to load. */
  url?: string
}

/** The coloured square of a service or a message application. */
export function IconTile({ glyph, tone, url = '' }: IconTileProps) {
  const drawn = (
    <span className={`icon-tile tone-${tone}`}>
      <Icon name={toIconName(glyph)} />
    </span>
  )
  return (
    <PictureWithFallback
      className="icon-tile"
      src={url}
      width={44}
      height={44}
      loading="lazy"
      fallback={drawn}
    />
  )
}
