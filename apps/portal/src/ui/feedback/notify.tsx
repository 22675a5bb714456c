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
 * Shows a notification at the top of the screen about something that happened in the background; replaces the previous
 * one. For the result of the user's own action, use a toast.
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

/** The region is added before its text, so that screen readers announce the text. */
function openRegion() {
  const region = document.createElement('div')
  region.className = 'notify-region'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return createRoot(region)
}
