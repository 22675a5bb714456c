import './icon.css'

/** The icons in icons.svg, which icon-sheet.ts inlines into every page. */
export const iconNames = [
  'all',
  'award',
  'back',
  'ballot',
  'bed',
  'bell',
  'book',
  'briefcase',
  'building',
  'bus',
  'calendar',
  'camera',
  'car',
  'card',
  'certificate',
  'chat',
  'check',
  'chevron',
  'clipboard',
  'clock',
  'close',
  'club',
  'contract',
  'database',
  'desktop',
  'down',
  'download',
  'edit',
  'external',
  'eye',
  'file',
  'filter',
  'flag',
  'flask',
  'food',
  'gear',
  'gift',
  'globe',
  'graduation',
  'grid',
  'health',
  'heart',
  'history',
  'home',
  'image',
  'info',
  'key',
  'lab',
  'language',
  'leave',
  'library',
  'lightbulb',
  'link',
  'locate',
  'lock',
  'logout',
  'mail',
  'map',
  'me',
  'message',
  'mic',
  'mobile',
  'money',
  'more',
  'mute',
  'network',
  'news',
  'offline',
  'package',
  'parking',
  'pause',
  'people',
  'person',
  'phone',
  'pin',
  'place',
  'plane',
  'play',
  'plus',
  'printer',
  'qr',
  'refresh',
  'scale',
  'scan',
  'score',
  'seal',
  'search',
  'share',
  'shield',
  'shopping',
  'speaker',
  'sport',
  'stamp',
  'star',
  'star-filled',
  'sun',
  'swap',
  'text',
  'ticket',
  'tool',
  'train',
  'translate',
  'trash',
  'tree',
  'truck',
  'up',
  'video',
  'vote',
  'wallet',
  'warning',
  'water',
  'wifi',
] as const
export type IconName = (typeof iconNames)[number]

type IconProps = { name: IconName; label?: string }

/** An icon in the colour of the surrounding text. Decorative unless it has a label. */
export function Icon({ name, label }: IconProps) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <use href={`#icon-${name}`} />
    </svg>
  )
}

/** The icon of this name, which may come from outside, or `fallback` if there is none. */
export const toIconName = (name: string, fallback: IconName = 'grid'): IconName =>
  iconNames.find((candidate) => candidate === name) ?? fallback
