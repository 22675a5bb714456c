import './notify.css'
import { figures } from '@atrium/rules/figures'
import { createRoot, type Root } from 'react-dom/client'
import { Icon, type IconName } from '../media/icon.tsx'

type Tone = 'info' | 'success' | 'warning' | 'danger'
const icons: Record<Tone, IconName> = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  danger: 'warning',
}

let root: Root | undefined
let timer: ReturnType<typeof setTimeout>

/**
 * Says across the top of the screen what has happened meanwhile; the next one takes its place. What answers the person's own
 * tap is a toast.
 */
export function notify(text: string, tone: Tone = 'info') {
  clearTimeout(timer)
  root ??= openRegion()
  root.render(
    <p key={Date.now()} className={`notify notify-${tone}`}>
      <Icon name={icons[tone]} />
      {text}
    </p>,
  )
  timer = setTimeout(() => root?.render(null), figures.notifyDuration)
}

/** Stands in the page before its text does, so that screen readers hear the text come. */
function openRegion() {
  const region = document.createElement('div')
  region.className = 'notify-region'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return createRoot(region)
}
